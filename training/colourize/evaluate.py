"""Measures on photos of left-out sources: squared error of ab against grey with its bootstrap bounds, and colourfulness.

evaluate.py --work work [--sheet sheet.png]

The temperature is chosen on every second photo and told for those, the others and all. Decoded at a quarter of the size, as the network answers.
"""
import argparse
import json

import numpy as np
import torch
from PIL import Image

from lab import rgb_of
from network import Decoder, expected
from train import batch_of, load

TEMPERATURES = (0.5, 0.6, 0.7, 0.85, 1.0, 1.2)
GAINS = (0.8, 1.0, 1.15, 1.3)


def colourfulness(lab):
    """Hasler and Suesstrunk 2003."""
    rgb = rgb_of(lab).astype(np.float32)
    rg, yb = rgb[..., 0] - rgb[..., 1], (rgb[..., 0] + rgb[..., 1]) / 2 - rgb[..., 2]
    return np.hypot(rg.std(), yb.std()) + 0.3 * np.hypot(rg.mean(), yb.mean())


def answers(net, bins, stores):
    """For every temperature the ab of each photo, averaged with that of its mirror image."""
    out = {t: [] for t in TEMPERATURES}
    with torch.no_grad():
        for at in range(0, len(stores[0]), 16):
            features, light, _ = batch_of(stores, np.arange(at, min(at + 16, len(stores[0]))))
            votes = net(*features, light)
            turned = net(*[f.flip(3) for f in features], light.flip(3)).flip(3)
            for t in TEMPERATURES:
                out[t].append(((expected(votes, bins, t) + expected(turned, bins, t)) / 2).permute(0, 2, 3, 1).numpy())
    return {t: np.concatenate(found) for t, found in out.items()}


def told(ours, truth, light, chance):
    error, grey = ((ours - truth) ** 2).mean((1, 2, 3)), (truth**2).mean((1, 2, 3))
    drawn = chance.integers(0, len(error), (4000, len(error)))
    cuts = 1 - error[drawn].sum(1) / grey[drawn].sum(1)
    lively = np.array([[colourfulness(np.concatenate([l[..., None], ab], -1)) for ab in pair] for l, pair in zip(light, zip(ours, truth))])
    return dict(
        photos=len(error),
        error=round(float(error.mean()), 1),
        grey=round(float(grey.mean()), 1),
        cut=round(100 * float(1 - error.sum() / grey.sum()), 1),
        bounds=[round(100 * float(x), 1) for x in np.percentile(cuts, (2.5, 97.5))],
        better=round(100 * float((error < grey).mean()), 1),
        colourfulness=round(float(lively[:, 0].mean() / lively[:, 1].mean()), 3),
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--work', required=True)
    parser.add_argument('--sheet')
    given = parser.parse_args()
    torch.set_num_threads(1)
    kept = torch.load(f'{given.work}/decoder.pt')
    net = Decoder(len(kept['bins']))
    net.load_state_dict(kept['net'])
    net.eval()
    print('kept at', json.dumps(kept['row']))
    for name in ('out', 'val'):
        stores = load(given.work, name + '_0')
        truth = np.asarray(stores[5], np.float32)
        light = np.asarray(stores[4], np.float32).reshape(len(truth), 48, 4, 48, 4).mean((2, 4))
        found = answers(net, kept['bins'], stores)
        half = np.arange(len(truth)) % 2 == 0
        if name == 'out':
            cut = {t: float(1 - ((found[t][half] - truth[half]) ** 2).sum() / (truth[half] ** 2).sum()) for t in TEMPERATURES}
            best = max(cut, key=cut.get)
            print('cut on every second photo by temperature', {t: round(100 * c, 1) for t, c in cut.items()}, 'chosen', best)
        for label, which in (('all', half | True), ('chosen on', half), ('not chosen on', ~half)):
            for t in sorted({best, 0.6}):
                for gain in GAINS if t == best else (1.0,):
                    print(name, label, 'T', t, 'gain', gain, json.dumps(told(found[t][which] * gain, truth[which], light[which], np.random.default_rng(5))))
    if given.sheet:
        sheet(given, found_of=lambda stores: answers(net, kept['bins'], stores)[best])


def sheet(given, found_of):
    """Grey, ours and truth of sixteen left-out photos."""
    stores = load(given.work, 'out_0')
    numbers = np.random.default_rng(3).choice(len(stores[0]), 16, replace=False)
    numbers.sort()
    picked = [store[numbers] for store in stores]
    ours, rows = found_of(picked), []
    wide = lambda ab: np.stack([np.asarray(Image.fromarray(ab[..., c].astype(np.float32)).resize((192, 192), Image.BICUBIC)) for c in (0, 1)], -1)
    for light, ab, truth in zip(picked[4].astype(np.float32), ours, picked[5].astype(np.float32)):
        rows.append(np.concatenate([rgb_of(np.concatenate([light[..., None], wide(x)], -1)) for x in (ab * 0, ab, truth)], 1))
    Image.fromarray(np.concatenate([np.concatenate(rows[i : i + 2], 1) for i in range(0, 16, 2)])).save(given.sheet)


if __name__ == '__main__':
    main()
