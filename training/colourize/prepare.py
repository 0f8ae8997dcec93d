"""Chooses photos and cuts two squares of each.

prepare.py --photos photos.tar --index photos.tsv --out work

The index has the columns split, file, source, licence, tier, origin. Trained on are photos of tier A and those of tier B whose
licence says CC BY or public domain; flowers are at most a fifth, groceries at most 8 %. Whole sources are left out for evaluation.
"""
import argparse
import io
import random
import re
import tarfile

import numpy as np
from PIL import Image

from lab import lab_of

LEFT_OUT = {'coco_ccby', 'clic2025', 'oi_packt', 'dreambooth', 'elementary', 'ostax_entrepreneurship', 'ostax_college-success-bundle', 'ostax_introduction-business'}
SHARES = {'tf_flowers': 0.20, 'grocery': 0.08}
SIDE = 192


def members(tar):
    """Names in the archive by the names in the index."""
    return {name.split('photos-train/')[-1].removeprefix('./'): name for name in tar.getnames()}


def may_train(row):
    return row[4] == 'A' or re.search(r'CC.?BY|public domain|CC0', row[3], re.I) is not None


def is_photo(image):
    """Not a drawing, a page or a black and white picture."""
    pixels = np.asarray(image, np.int16)
    grey = pixels.sum(2) // 3
    flat = ((np.abs(np.diff(grey, axis=1))[:-1] + np.abs(np.diff(grey, axis=0))[:, :-1]) <= 1).mean()
    white, black = (pixels.min(2) > 242).mean(), (pixels.max(2) < 10).mean()
    if white > 0.22 or flat > 0.38 or black > 0.4 or max(image.size) > SIDE * 2.4:
        return False
    lab = lab_of(np.asarray(image.resize((48, 48), Image.BOX)))
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    # A tint of one colour all over is a black and white photo too.
    return chroma.mean() > 4 and np.hypot(lab[..., 1].std(), lab[..., 2].std()) > 3


def photographs(photos, index, chance):
    """Rows of the index that may be trained on, in an order drawn, each with what opens its photo."""
    rows = [line.rstrip('\n').split('\t') for line in open(index, errors='replace')][1:]
    chance.shuffle(rows)
    tar = tarfile.open(photos)
    names = members(tar)
    for row in rows:
        name = names.get(row[1])
        if name is not None and may_train(row):
            yield row, lambda name=name: Image.open(io.BytesIO(tar.extractfile(name).read())).convert('RGB')


def square(image, share, across, down):
    """A square of `share` of the shorter side, at a place of 0 to 1 in what is left."""
    width, height = image.size
    side = min(width, height) * share
    left, top = (width - side) * across, (height - side) * down
    return np.asarray(image.resize((SIDE, SIDE), Image.BICUBIC, (left, top, left + side, top + side)))


def main():
    parser = argparse.ArgumentParser()
    for name in ('photos', 'index', 'out'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    chance = random.Random(7)
    kept = {'train': [], 'val': [], 'out': []}
    for row, opened in photographs(given.photos, given.index, chance):
        split = 'out' if row[2] in LEFT_OUT else row[0]
        image = opened()
        if is_photo(image):
            kept[split].append((row, square(image, 1, 0.5, 0.5), square(image, chance.uniform(0.65, 1), chance.random(), chance.random())))
    others = sum(1 for item in kept['train'] if item[0][2] not in SHARES)
    whole = others / (1 - sum(SHARES.values()))
    for source, share in SHARES.items():
        mine = [item for item in kept['train'] if item[0][2] == source]
        drop = {id(item) for item in mine[int(whole * share) :]}
        kept['train'] = [item for item in kept['train'] if id(item) not in drop]
    for split, items in kept.items():
        open(f'{given.out}/{split}.tsv', 'w').write('\n'.join('\t'.join(row) for row, _, _ in items) + '\n')
        for variant in (0, 1):
            if variant == 0 or split == 'train':
                np.save(f'{given.out}/{split}_rgb{variant}.npy', np.stack([item[1 + variant] for item in items]))
        print(split, len(items), flush=True)


if __name__ == '__main__':
    main()
