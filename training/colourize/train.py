"""The first stage: trains the decoder on cached features; stops when its time is over and keeps what was best on half of the left-out photos.

train.py --work work --minutes 15 [--wall 60]

Loss: cross entropy over bins of Lab's ab plane with soft targets and rebalanced classes (Zhang, Isola, Efros, "Colorful image
colorization", 2016), and a smooth L1 on the expected colour. Weights are averaged over the last few hundred steps.
"""
import argparse
import copy
import json
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from network import Decoder, expected

BATCH = 24
RATE = 2e-3
REBALANCE = 0.6  # share of the true distribution in what classes are weighted by
HEAVIEST = 6.0
AGED = 0.4  # share of batches that look old
KEYS = ('f0', 'f1', 'f2', 'f3', 'light', 'ab')


def load(work, name):
    return [np.load(f'{work}/{name}_{key}.npy', mmap_mode='r') for key in KEYS]


def batch_of(stores, numbers):
    numbers = np.sort(numbers)
    *features, light, ab = [torch.from_numpy(store[numbers]).float() for store in stores]
    return features, (light[:, None] - 50) / 50, ab.permute(0, 3, 1, 2)


def bins_of(ab):
    """Colours of a grid of 10 that hold all but 0.05 % of the pixels, and how much each weighs."""
    cells, counts = np.unique(np.round(ab / 10).astype(int), axis=0, return_counts=True)
    order = np.argsort(-counts)
    kept = order[: np.searchsorted(np.cumsum(counts[order]) / counts.sum(), 0.9995) + 1]
    bins, prior = cells[kept].astype(np.float32) * 10, counts[kept] / counts[kept].sum()
    near = np.exp(-((bins[:, None] - bins[None]) ** 2).sum(-1) / 50)
    prior = prior @ (near / near.sum(1, keepdims=True))
    weight = 1 / (REBALANCE * prior + (1 - REBALANCE) / len(bins))
    weight /= (prior * weight).sum()
    return torch.tensor(bins), torch.tensor(np.minimum(weight, HEAVIEST).astype(np.float32))


def targets(ab, bins):
    """The five nearest bins of each pixel, and their shares."""
    count, _, height, width = ab.shape
    flat = ab.permute(0, 2, 3, 1).reshape(-1, 2)
    far = (flat * flat).sum(1, keepdim=True) - 2 * flat @ bins.t() + (bins * bins).sum(1)
    near, which = far.topk(5, 1, largest=False)
    share = torch.exp(-near / 50) + 1e-8
    share = share / share.sum(1, keepdim=True)
    return [x.view(count, height, width, 5).permute(0, 3, 1, 2) for x in (which, share)]


def loss_of(votes, ab, bins, weights):
    shares = F.log_softmax(votes, 1)
    which, share = targets(ab, bins)
    entropy = (-(shares.gather(1, which) * share).sum(1) * weights[which[:, 0]]).mean()
    mean = torch.einsum('nqhw,qc->nchw', shares.exp(), bins)
    return entropy + 1.5 * F.smooth_l1_loss(mean / 20, ab / 20, beta=0.5)


def measure(net, stores, numbers, bins, temperature=1.0):
    """Squared error of ab, of ours and of grey, and the mean chroma of both."""
    net.eval()
    sums = np.zeros(4)
    with torch.no_grad():
        for at in range(0, len(numbers), 24):
            features, light, ab = batch_of(stores, numbers[at : at + 24])
            ours = expected(net(*features, light), bins, temperature)
            sums += [((ours - ab) ** 2).mean().item() * len(ab), (ab**2).mean().item() * len(ab), ours.norm(dim=1).mean().item() * len(ab), ab.norm(dim=1).mean().item() * len(ab)]
    net.train()
    return dict(zip(('error', 'grey', 'chroma', 'true'), (sums / len(numbers)).round(2).tolist()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--work', required=True)
    parser.add_argument('--minutes', type=float, required=True, help='processor time')
    parser.add_argument('--wall', type=float, default=1e9, help='minutes by the clock, at most')
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    chance = np.random.default_rng(0)
    began, clock = time.process_time(), time.time()
    variants = [load(given.work, 'train_0'), load(given.work, 'train_1')]
    out, val = load(given.work, 'out_0'), load(given.work, 'val_0')
    half, some = np.arange(0, len(out[0]), 2), np.arange(0, len(val[0]), 2)
    count = len(variants[0][0])
    bins, weights = bins_of(variants[0][5][::7].reshape(-1, 2)[::5].astype(np.float32))
    net = Decoder(len(bins))
    for tap in range(4):
        features = torch.from_numpy(variants[0][tap][::16]).float()
        net.norm[tap].data[0] = features.mean((0, 2, 3))[:, None, None]
        net.norm[tap].data[1] = -torch.log(features.std((0, 2, 3)) + 1e-3)[:, None, None]
    mean = copy.deepcopy(net)
    learn = [p for p in net.parameters() if p.requires_grad]
    print('photos', count, 'bins', len(bins), 'weights', sum(p.numel() for p in learn), flush=True)
    optimiser = torch.optim.AdamW(learn, lr=RATE, weight_decay=0.02)
    best, step, next_look = None, 0, 0.12
    while True:
        done = max((time.process_time() - began) / 60 / given.minutes, (time.time() - clock) / 60 / given.wall)
        if done >= next_look or done >= 1:
            row = dict(step=step, epochs=round(step * BATCH / count, 2), minutes=round((time.process_time() - began) / 60, 2), out=measure(mean, out, half, bins), val=measure(mean, val, some, bins))
            print(json.dumps(row), flush=True)
            if best is None or row['out']['error'] < best:
                best = row['out']['error']
                torch.save(dict(net=mean.state_dict(), bins=bins, weights=weights, row=row), f'{given.work}/decoder.pt')
            next_look += 0.12
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group['lr'] = RATE * min(1, (step + 1) / 80) * (0.5 + 0.5 * np.cos(np.pi * done) + 0.01)
        variant = variants[int(chance.random() < AGED)]
        features, light, ab = batch_of(variant, chance.choice(len(variant[0]), BATCH, replace=False))
        if chance.random() < 0.5:
            features, light, ab = [x.flip(3) for x in features], light.flip(3), ab.flip(3)
        take = chance.integers(0, 2, 2)
        loss = loss_of(net(*features, light, take), ab[:, :, take[0] :: 2, take[1] :: 2], bins, weights)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learn, 2.0)
        optimiser.step()
        step += 1
        keep = min(0.995, (step + 1) / (step + 20))
        with torch.no_grad():
            for slow, fast in zip(mean.parameters(), net.parameters()):
                slow.lerp_(fast, 1 - keep)
    print('processor minutes', round((time.process_time() - began) / 60, 2), 'clock minutes', round((time.time() - clock) / 60, 2))


if __name__ == '__main__':
    main()
