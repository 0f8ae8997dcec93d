"""Compares converted documents with their PDFs. Reads jobs from standard input, a JSON object a line: {"id", "pdf", "out", "truth"?}; writes scores,
a JSON object a line. Documents are rendered by LibreOffice and poppler; all scores are from 0 to 1.

ssim    structural similarity of the pages in grey at 72 dpi (Wang et al. 2004, windows of 8 px), a page that is missing counting 0
block   what two pages have in common of their ink, on squares of 12 px: forgives small shifts
charF1  characters of the text as rendered, in any order; order: the same as a longest common subsequence
boxes   share of characters in text boxes and frames
cellF1  cells' texts against hand-made tables; adjF1: neighbours of cells (ICDAR 2013 table competition, Göbel et al.)

What a PDF says is told by poppler, which knows no better than the file. `readable` (true or false) says of that reference alone whether it is text
that a right conversion could equal: see `is_readable`. Where it is none, `seenF1` compares with what tesseract reads off the pages as they are painted, if
it is there: it misreads a few characters of a hundred itself, so that even right text does not reach 1.
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter

import numpy as np

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
O = "{http://www.ofdspec.org/2016}"
AT_ONCE = 8


def plain(text):
    return re.sub(r"[\s\u200b\ufeff\u00ad]+", "", unicodedata.normalize("NFKC", text))


def run(arguments, seconds):
    """A program that may hang: it and its children end together."""
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return b""


def text_of(pdf):
    return plain(run(["pdftotext", "-q", pdf, "-"], 60).decode("utf8", "ignore"))


def is_usual(han):
    """Whether a Chinese character is one of everyday text: in GB 2312, JIS X 0208, or the frequent ones of Big5."""
    for encoding in ("gb2312", "shift_jis", "big5"):
        try:
            code = han.encode(encoding)
        except UnicodeEncodeError:
            continue
        if encoding != "big5" or code[0] < 0xC9:
            return True
    return False


# Letters and signs of Latin-1 in a row, or beside Chinese: bytes of another encoding, or numbers of glyphs.
MISREAD = re.compile("[\u00a1-\u00ff]{2,}|(?<=[\u3400-\u9fff])[\u00c0-\u00ff]|[\u00c0-\u00ff](?=[\u3400-\u9fff])")


def is_readable(text):
    """
    Whether a reference reads as text: it has some, and no more than one in fifty of its characters are private, unassigned, replacements or controls,
    Chinese ones that no everyday text has, or misread bytes.
    """
    odd = sum(
        unicodedata.category(one) in ("Co", "Cn", "Cs", "Cc") or one == "\ufffd" or ("\u3400" <= one <= "\u9fff" and not is_usual(one))
        for one in text
    )
    return text != "" and odd + sum(map(len, MISREAD.findall(text))) <= len(text) / 50


def seen_text(pdf, folder):
    """What tesseract reads off a PDF's pages; nothing where it isn't installed."""
    if not shutil.which("tesseract"):
        return ""
    os.makedirs(folder, exist_ok=True)
    run(["pdftoppm", "-q", "-r", "200", "-gray", "-l", "8", pdf, f"{folder}/s"], 300)
    pages = sorted(glob.glob(f"{folder}/s*.pgm"))
    return plain("".join(run(["tesseract", page, "-", "-l", "chi_sim+eng"], 120).decode("utf8", "ignore") for page in pages))


def seen_score(job, text, readable, folder):
    seen = "" if readable else seen_text(job["pdf"], f"{folder}/seen")
    a, b = (re.sub(r"[.·…_•]", "", one) for one in (seen, text))  # tesseract passes over dots that lead somewhere
    return {"seenF1": shared(Counter(a), Counter(b))} if a else {}


def page_count(pdf):
    found = re.search(rb"^Pages:\s+(\d+)", run(["pdfinfo", pdf], 60), re.M)
    return int(found[1]) if found else 1


def grey(name):
    """A portable greymap (P5)."""
    data = open(name, "rb").read()
    header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+\d+\s", data)
    width, height = int(header[1]), int(header[2])
    return np.frombuffer(data, np.uint8, width * height, header.end()).reshape(height, width).astype(np.float64)


def pages_of(pdf, folder):
    os.makedirs(folder)
    run(["pdftoppm", "-q", "-r", "72", "-gray", pdf, f"{folder}/p"], 300)
    return [grey(name) for name in sorted(glob.glob(f"{folder}/p*.pgm"))]


def common_size(a, b, ground):
    height, width = max(a.shape[0], b.shape[0]), max(a.shape[1], b.shape[1])
    def padded(page):
        sheet = np.full((height, width), ground, dtype=np.float64)
        sheet[: page.shape[0], : page.shape[1]] = page
        return sheet
    return padded(a), padded(b)


def window_means(page, side=8):
    sums = np.pad(page.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2


def ssim(a, b):
    a, b = common_size(a, b, 255)
    ma, mb = window_means(a), window_means(b)
    va, vb, vab = window_means(a * a) - ma * ma, window_means(b * b) - mb * mb, window_means(a * b) - ma * mb
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float((((2 * ma * mb + c1) * (2 * vab + c2)) / ((ma**2 + mb**2 + c1) * (va + vb + c2))).mean())


def block(a, b, side=12):
    a, b = common_size(255 - a, 255 - b, 0)
    def squares(ink):
        ink = np.pad(ink, ((0, -ink.shape[0] % side), (0, -ink.shape[1] % side)))
        return ink.reshape(ink.shape[0] // side, side, ink.shape[1] // side, side).mean((1, 3))
    a, b = squares(a), squares(b)
    total = a.sum() + b.sum()
    return float(2 * np.minimum(a, b).sum() / total) if total > 0 else 1.0


def shared(a, b):
    """F1 of two bags; None where both are empty."""
    total = sum(a.values()) + sum(b.values())
    return 2 * sum((a & b).values()) / total if total else None


def order(a, b):
    """Longest common subsequence by bits (Hyyrö 2004), as a share of both."""
    if not a and not b:
        return None
    places = {}
    for at, character in enumerate(a):
        places[character] = places.get(character, 0) | 1 << at
    full = (1 << len(a)) - 1
    row = full
    for character in b:
        met = row & places.get(character, 0)
        row = ((row + met) | (row - met)) & full
    return 2 * (len(a) - row.bit_count()) / (len(a) + len(b))


def word_body(path):
    return ET.fromstring(zipfile.ZipFile(path).read("word/document.xml"))


def text_in(element):
    return plain("".join(part.text or "" for part in element.iter(f"{W}t")))


def boxes(path):
    body = word_body(path)
    boxed = sum(len(text_in(one)) for one in body.iter(f"{W}txbxContent"))
    framed = sum(len(text_in(one)) for one in body.iter(f"{W}p") if one.find(f"{W}pPr/{W}framePr") is not None)
    return (boxed + framed) / max(1, len(text_in(body)))


def cell(row, last_row, column, last_column, text):
    return {"row": row, "last_row": last_row, "column": column, "last_column": last_column, "text": plain(text)}


def word_tables(path):
    for table in word_body(path).iter(f"{W}tbl"):
        cells, above = [], {}
        for row, line in enumerate(table.findall(f"{W}tr")):
            column = 0
            for one in line.findall(f"{W}tc"):
                span, merge = one.find(f"{W}tcPr/{W}gridSpan"), one.find(f"{W}tcPr/{W}vMerge")
                width = int(span.get(f"{W}val")) if span is not None else 1
                if merge is not None and merge.get(f"{W}val") != "restart" and column in above:
                    above[column]["last_row"] = row
                else:
                    above[column] = cell(row, row, column, column + width - 1, text_in(one))
                    cells.append(above[column])
                column += width
        yield cells


def place(reference):
    letters, digits = re.match(r"([A-Z]+)(\d+)", reference).groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(digits) - 1, column - 1


def sheet_tables(path):
    book = zipfile.ZipFile(path)
    names = book.namelist()
    strings = []
    if "xl/sharedStrings.xml" in names:
        strings = ["".join(t.text or "" for t in one.iter(f"{S}t")) for one in ET.fromstring(book.read("xl/sharedStrings.xml"))]
    for name in sorted(name for name in names if re.match(r"xl/worksheets/sheet\d+\.xml$", name)):
        sheet, cells = ET.fromstring(book.read(name)), {}
        for one in sheet.iter(f"{S}c"):
            value = one.findtext(f"{S}v") or ""
            text = strings[int(value)] if one.get("t") == "s" and value else value or "".join(t.text or "" for t in one.iter(f"{S}t"))
            row, column = place(one.get("r"))
            cells[row, column] = cell(row, row, column, column, text)
        for merged in sheet.iter(f"{S}mergeCell"):
            first, last = (place(one) for one in merged.get("ref").split(":"))
            if first in cells:
                cells[first]["last_row"], cells[first]["last_column"] = last
        yield list(cells.values())


def true_tables(path):
    for region in ET.parse(path).getroot().iter("region"):
        cells = []
        for one in region.iter("cell"):
            row, column = int(one.get("start-row")), int(one.get("start-col"))
            cells.append(cell(row, int(one.get("end-row") or row), column, int(one.get("end-col") or column), one.findtext("content") or ""))
        yield cells


def neighbours(tables):
    """Each cell with text and the next with text to its right and below."""
    found = Counter()
    for cells in tables:
        at = {}
        for one in cells:
            if one["text"]:
                for row in range(one["row"], one["last_row"] + 1):
                    for column in range(one["column"], one["last_column"] + 1):
                        at[row, column] = one
        if not at:
            continue
        rows, columns, seen = max(row for row, _ in at) + 1, max(column for _, column in at) + 1, set()
        for (row, column), one in at.items():
            for down, right in ((0, 1), (1, 0)):
                y, x = row + down, column + right
                while y < rows and x < columns and (y, x) not in at:
                    y, x = y + down, x + right
                other = at.get((y, x))
                if other is not None and other is not one and (id(one), id(other), down) not in seen:
                    seen.add((id(one), id(other), down))
                    found[one["text"], other["text"], down] += 1
    return found


def table_scores(out, truth):
    tables = {".docx": word_tables, ".xlsx": sheet_tables}.get(os.path.splitext(out)[1])
    if not tables or not truth or not os.path.exists(truth):
        return {}
    ours, true = list(tables(out)), list(true_tables(truth))
    texts = [Counter(one["text"] for cells in each for one in cells if one["text"]) for each in (true, ours)]
    return {"cellF1": shared(*texts), "adjF1": shared(neighbours(true), neighbours(ours))}


def look_scores(pdf, back, folder):
    ours, theirs = pages_of(back, f"{folder}/ours"), pages_of(pdf, f"{folder}/theirs")
    pairs, count = list(zip(theirs, ours)), max(len(ours), len(theirs)) or 1
    a, b = text_of(pdf), text_of(back)
    return {
        "pages": len(theirs), "pagesOut": len(ours),
        "readable": is_readable(a),
        "ssim": sum(ssim(*pair) for pair in pairs) / count, "block": sum(block(*pair) for pair in pairs) / count,
        "charF1": shared(Counter(a), Counter(b)), "order": order(a, b), "text": b,
    }


def scores(job, back):
    pdf, out = job["pdf"], job["out"]
    with tempfile.TemporaryDirectory() as folder:
        if out.endswith(".txt"):
            a, b = text_of(pdf), plain(open(out, encoding="utf8").read())
            readable = is_readable(a)
            same = {"charF1": shared(Counter(a), Counter(b)), "order": order(a, b)}
            return {"pages": page_count(pdf), "readable": readable, **same, **seen_score(job, b, readable, folder)}
        found = table_scores(out, job.get("truth"))
        if out.endswith(".xlsx"):
            return {"pages": page_count(pdf), **found}
        if not os.path.exists(back):
            return {**found, "error": "does not open"}
        if out.endswith(".docx"):
            found["boxes"] = boxes(out)
        found = {**found, **look_scores(pdf, back, folder)}
        text = found.pop("text")
        if out.endswith(".ofd"):
            a, text = text_of(pdf), ofd_text(out)
            found |= {"charF1": shared(Counter(a), Counter(text)), "order": order(a, text)}
        return {**found, **seen_score(job, text, found["readable"], folder)}


def ofd_text(path):
    """What an OFD says, in the order of its pages; what they look like tells nothing of it, for its fonts are asked for glyphs."""
    package = zipfile.ZipFile(path)
    pages = [name for name in package.namelist() if name.endswith("/Content.xml")]
    pages.sort(key=lambda name: int(re.search(r"Page_(\d+)/", name)[1]))
    return plain("".join(one.text or "" for name in pages for one in ET.fromstring(package.read(name)).iter(f"{O}TextCode")))


def render(outs, folder):
    profile = f"-env:UserInstallation=file://{folder}/profile"
    for at in range(0, len(outs), AT_ONCE):
        run(["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, *outs[at : at + AT_ONCE]], 40 * AT_ONCE)


def main():
    jobs = [json.loads(line) for line in sys.stdin]
    with tempfile.TemporaryDirectory() as folder:
        def back(job):
            return f"{folder}/{os.path.splitext(os.path.basename(job['out']))[0]}.pdf"
        shown = [job for job in jobs if job["out"].endswith((".docx", ".pptx"))]
        render([job["out"] for job in shown], folder)
        printed = [job["out"] for job in jobs if job["out"].endswith(".ofd")]
        if printed:
            run(["node", os.path.join(os.path.dirname(__file__), "../ofd/print.mjs"), folder, *printed], 20 * len(printed))
        # One that stops the others is tried by itself.
        for job in shown:
            if not os.path.exists(back(job)):
                render([job["out"]], folder)
        for job in jobs:
            print(json.dumps({"id": job["id"], **scores(job, back(job))}), flush=True)


main()
