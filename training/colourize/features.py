"""What the frozen backbone sees, once: of each photo as it is, and of every second one another square made to look old.

features.py --backbone work/mobilenet --work work [--only train_rgb1]
"""
import argparse
import time

import numpy as np
import torch
from PIL import Image

from lab import TO_XYZ, grey_of, lab_of
from network import TAPS, Backbone

SETS = ('out_rgb0', 'val_rgb0', 'train_rgb0', 'train_rgb1')
FILM = np.array([0.05, 0.45, 0.50], np.float32)  # film blind to red, as before about 1920


def blurred(plane, sigma):
    if sigma < 0.3:
        return plane
    radius = max(1, int(3 * sigma))
    kernel = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * sigma * sigma))
    kernel = (kernel / kernel.sum()).astype(np.float32)
    for axis in (0, 1):
        wide = np.pad(plane, [(radius, radius) if a == axis else (0, 0) for a in (0, 1)], 'edge')
        plane = sum(weight * np.take(wide, range(i, i + plane.shape[axis]), axis) for i, weight in enumerate(kernel))
    return plane


def aged(rgb, light, chance):
    """Lightness as an old print has it: other film, soft, faded, grainy."""
    if chance.random() < 0.25:
        light = lab_of(np.repeat(np.clip(rgb @ FILM, 0, 255).astype(np.uint8)[..., None], 3, -1))[..., 0]
    light = 100 * (np.clip(light, 0, 100) / 100) ** chance.uniform(0.7, 1.45)
    low, high = chance.uniform(0, 22), chance.uniform(75, 100)
    if chance.random() < 0.7:
        light = low + light * (high - low) / 100
    light = blurred(light.astype(np.float32), chance.uniform(0, 1.6))
    grain = blurred(chance.normal(0, 1, light.shape).astype(np.float32), chance.uniform(0, 0.9))
    light = light + grain / max(grain.std(), 1e-6) * chance.uniform(0, 7)
    return np.clip(light, 0, 100).astype(np.float32)


def small(plane):
    return plane.reshape(48, 4, 48, 4, 2).mean((1, 3))


def main():
    parser = argparse.ArgumentParser()
    for name in ('backbone', 'work'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--only', choices=SETS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    backbone = Backbone(given.backbone).eval()
    chance = np.random.default_rng(11)
    began = time.process_time()
    for name in [given.only] if given.only else SETS:
        photos = np.load(f'{given.work}/{name}.npy', mmap_mode='r')
        if name == 'train_rgb1':
            photos = photos[::2]
        stem = f"{given.work}/{name.replace('_rgb', '_')}"
        shapes = {'light': (192, 192), 'ab': (48, 48, 2), **{f'f{i}': (c, s, s) for i, (c, s) in enumerate(zip(TAPS.values(), (48, 24, 12, 6)))}}
        stores = {key: np.lib.format.open_memmap(f'{stem}_{key}.npy', 'w+', np.float16, (len(photos), *shape)) for key, shape in shapes.items()}
        for start in range(0, len(photos), 16):
            lights = []
            for i in range(start, min(start + 16, len(photos))):
                lab = lab_of(photos[i])
                light = aged(photos[i].astype(np.float32), lab[..., 0], chance) if name.endswith('1') else lab[..., 0]
                stores['light'][i], stores['ab'][i] = light, small(lab[..., 1:])
                lights.append(grey_of(light))
            with torch.no_grad():
                found = backbone(torch.from_numpy(np.stack(lights))[:, None].expand(-1, 3, -1, -1).contiguous(memory_format=torch.channels_last))
            for tap, features in enumerate(found):
                stores[f'f{tap}'][start : start + len(lights)] = features.numpy()
        print(name, len(photos), f'{time.process_time() - began:.0f} s', flush=True)


if __name__ == '__main__':
    main()
