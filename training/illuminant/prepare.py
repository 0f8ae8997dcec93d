"""Photos as small squares in colour, a few of each: whole sources are left out for evaluation.

prepare.py --photos photos.tar --index photos.tsv --out work

The index is that of ../colourize, and so are the licences trained on and the sources left out; flowers and groceries, which are many and alike, are
thinned out.
"""
import argparse
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / 'colourize'))
from lab import lab_of  # noqa: E402
from prepare import LEFT_OUT, photographs  # noqa: E402

SIDE = 64
CUTS = 4
SHARES = {'tf_flowers': 0.4, 'grocery': 0.5}


def is_lit(image):
    """Not one colour all over, as a tinted print is, nor a page or a drawing; things before white are welcome, and so is what is grey."""
    pixels = np.asarray(image, np.int16)
    grey = pixels.sum(2) // 3
    flat = ((np.abs(np.diff(grey, axis=1))[:-1] + np.abs(np.diff(grey, axis=0))[:, :-1]) <= 1).mean()
    if flat > 0.7 or (pixels.max(2) < 10).mean() > 0.6:
        return False
    lab = lab_of(np.asarray(image.resize((48, 48), Image.BOX)))
    spread = np.hypot(lab[..., 1].std(), lab[..., 2].std())
    return spread > 3 or np.hypot(lab[..., 1], lab[..., 2]).mean() < 2


def cuts(image, chance):
    """The whole and parts of it, each at SIDE x SIDE, averaged in stored values."""
    width, height = image.size
    yield np.asarray(image.resize((SIDE, SIDE), Image.BOX))
    for _ in range(CUTS - 1):
        share = chance.uniform(0.5, 0.95)
        across, down = width * share, height * share
        left, top = chance.uniform(0, width - across), chance.uniform(0, height - down)
        yield np.asarray(image.resize((SIDE, SIDE), Image.BOX, (left, top, left + across, top + down)))


def main():
    parser = argparse.ArgumentParser()
    for name in ('photos', 'index', 'out'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    chance = random.Random(7)
    kept = {'train': [], 'out': []}
    photos = {'train': [], 'out': []}
    for row, opened in photographs(given.photos, given.index, chance):
        if chance.random() > SHARES.get(row[2], 1):
            continue
        image = opened()
        if not is_lit(image):
            continue
        split = 'out' if row[2] in LEFT_OUT else 'train'
        kept[split].append(np.stack(list(cuts(image, chance))))
        photos[split].append(row)
    for split, items in kept.items():
        np.save(f'{given.out}/{split}.npy', np.stack(items))
        Path(f'{given.out}/{split}.tsv').write_text('\n'.join('\t'.join(row) for row in photos[split]) + '\n')
        print(split, len(items))


if __name__ == '__main__':
    main()
