"""Measures on photos of left-out sources: squared error of ab against grey with its bootstrap bounds, and colourfulness.

evaluate.py --backbone work/mobilenet --work work [--sheet sheet.png]

Temperature and gain are chosen on every second photo and told for those, the others and all: the gain that makes answers of a temperature LIVELY
times as colourful as the truth, and of the temperatures that then cut within half a percent of the best the highest, whose colours are the least
patchy. Decoded at a quarter of the size, as the network answers.
"""
import argparse
import json

import numpy as np
import torch
from PIL import Image

from lab import rgb_of
from network import expected, finished

TEMPERATURES = (0.4, 0.5, 0.6, 0.7, 0.85, 1.0)
LIVELY = 0.52
PALER = (1.0, 0.85, 0.7)  # gains beside that one, as shares of it


def colourfulness(lab):
    """Hasler and Suesstrunk 2003."""
    rgb = rgb_of(lab).astype(np.float32)
    rg, yb = rgb[..., 0] - rgb[..., 1], (rgb[..., 0] + rgb[..., 1]) / 2 - rgb[..., 2]
    return np.hypot(rg.std(), yb.std()) + 0.3 * np.hypot(rg.mean(), yb.mean())


def answers(net, bins, lights):
    """For every temperature the ab of each photo, averaged with that of its mirror image."""
    out = {t: [] for t in TEMPERATURES}
    with torch.no_grad():
        for at in range(0, len(lights), 16):
            light = torch.from_numpy(lights[at : at + 16]).float()[:, None]
            votes, turned = net(light), net(light.flip(3)).flip(3)
            for t in TEMPERATURES:
                out[t].append(((expected(votes, bins, t) + expected(turned, bins, t)) / 2).permute(0, 2, 3, 1).numpy())
    return {t: np.concatenate(found) for t, found in out.items()}


def liveliness(ours, truth, light):
    """Mean colourfulness of ours and of the truth, one by the other."""
    means = [np.mean([colourfulness(np.concatenate([l[..., None], ab], -1)) for l, ab in zip(light, set_of)]) for set_of in (ours, truth)]
    return float(means[0] / means[1])


def gain_of(ours, truth, light):
    gain = 1.0
    for _ in range(4):
        gain *= LIVELY / liveliness(ours * gain, truth, light)
    return round(gain, 2)


def told(ours, truth, light, chance):
    error, grey = ((ours - truth) ** 2).mean((1, 2, 3)), (truth**2).mean((1, 2, 3))
    drawn = chance.integers(0, len(error), (4000, len(error)))
    cuts = 1 - error[drawn].sum(1) / grey[drawn].sum(1)
    return dict(
        photos=len(error),
        error=round(float(error.mean()), 1),
        grey=round(float(grey.mean()), 1),
        cut=round(100 * float(1 - error.sum() / grey.sum()), 1),
        bounds=[round(100 * float(x), 1) for x in np.percentile(cuts, (2.5, 97.5))],
        better=round(100 * float((error < grey).mean()), 1),
        colourfulness=round(liveliness(ours, truth, light), 3),
    )


def main():
    parser = argparse.ArgumentParser()
    for name in ('backbone', 'work'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--sheet')
    given = parser.parse_args()
    torch.set_num_threads(1)
    net, bins, row = finished(given.work, given.backbone)
    print('kept at', json.dumps(row))
    for name in ('out', 'val'):
        lights, truth = [np.load(f'{given.work}/{name}_0_{key}.npy').astype(np.float32) for key in ('light', 'ab')]
        light = lights.reshape(len(truth), 48, 4, 48, 4).mean((2, 4))
        found = answers(net, bins, lights)
        half = np.arange(len(truth)) % 2 == 0
        if name == 'out':
            gains = {t: gain_of(found[t][half], truth[half], light[half]) for t in TEMPERATURES}
            cut = {t: float(1 - ((found[t][half] * gains[t] - truth[half]) ** 2).sum() / (truth[half] ** 2).sum()) for t in TEMPERATURES}
            best = max(t for t in cut if cut[t] > max(cut.values()) - 0.005)
            print('on every second photo, by temperature: gains', gains, 'cuts', {t: round(100 * c, 1) for t, c in cut.items()}, 'chosen', best)
        for label, which in (('all', half | True), ('chosen on', half), ('not chosen on', ~half)):
            for gain in [gains[best] * paler for paler in PALER]:
                print(name, label, 'T', best, 'gain', round(gain, 3), json.dumps(told(found[best][which] * gain, truth[which], light[which], np.random.default_rng(5))))
    if given.sheet:
        sheet(given, lambda lights: answers(net, bins, lights)[best] * gains[best])


def sheet(given, found_of):
    """Grey, ours and truth of sixteen left-out photos."""
    lights, truths = [np.load(f'{given.work}/out_0_{key}.npy') for key in ('light', 'ab')]
    numbers = np.sort(np.random.default_rng(3).choice(len(lights), 16, replace=False))
    ours, rows = found_of(lights[numbers]), []
    wide = lambda ab: np.stack([np.asarray(Image.fromarray(ab[..., c].astype(np.float32)).resize((192, 192), Image.BICUBIC)) for c in (0, 1)], -1)
    for light, ab, truth in zip(lights[numbers].astype(np.float32), ours, truths[numbers].astype(np.float32)):
        rows.append(np.concatenate([rgb_of(np.concatenate([light[..., None], wide(x)], -1)) for x in (ab * 0, ab, truth)], 1))
    Image.fromarray(np.concatenate([np.concatenate(rows[i : i + 2], 1) for i in range(0, 16, 2)])).save(given.sheet)


if __name__ == '__main__':
    main()
