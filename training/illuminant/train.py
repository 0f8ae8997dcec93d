"""Trains the network that tells the colour of the light.

train.py --work work --minutes 15 --out illuminant.pt

Photos are taken for lit in white, as their makers balanced them; what is learned is to find the light they are then put under (as in Bianco and
Cusano, "Quasi-unsupervised color constancy", 2019).
"""
import argparse
import math
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

LEAST = 0.004
#: The logarithm of what no channel relation goes beyond.
MOST = 2.0
WIDTHS = (24, 48, 72, 96)


def linear(stored):
    return torch.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


def gains_of(light):
    """What red, green and blue of white come to under lights (their logarithms of red and blue over green)."""
    return torch.stack([light[:, 0], torch.zeros(len(light)), light[:, 1]], 1).exp()


def features(light):
    """Batches of 3 x 64 x 64 in linear light as what the network sees: two logarithms of relations, lightness, where a channel is at its end."""
    log = torch.log(light + LEAST)
    red, blue = log[:, 0] - log[:, 1], log[:, 2] - log[:, 1]
    most = light.amax(1)
    return torch.stack([red.clamp(-MOST, MOST), blue.clamp(-MOST, MOST), log.mean(1) / 2 + 1, (most > 0.95).float()], 1)


class Network(nn.Module):
    """Four convolutions, the first three halving; each place says a light and how much its word counts, knowing the picture's mean features."""

    def __init__(self):
        super().__init__()
        sides = (4, *WIDTHS)
        self.layers = nn.ModuleList(nn.Conv2d(a, b, 3, stride=2 if at < 3 else 1, padding=1) for at, (a, b) in enumerate(zip(sides, sides[1:])))
        self.local = nn.Conv2d(WIDTHS[-1], 32, 1)
        self.whole = nn.Linear(WIDTHS[-1], 32)
        self.head = nn.Conv2d(32, 3, 1)

    def forward(self, seen):
        x = seen
        for layer in self.layers:
            x = F.relu(layer(x))
        x = F.relu(self.local(x) + self.whole(x.mean((2, 3)))[:, :, None, None])
        word = self.head(x).flatten(2)
        share = torch.softmax(word[:, 0], 1)
        return (word[:, 1:] * share[:, None]).sum(2)


def lights(count, chance):
    """Logarithms of red and blue over green: some white, most near it, a few far away as a lamp's."""
    size = torch.rand(count, generator=chance).sqrt() * 0.42
    far = torch.rand(count, generator=chance) < 0.12
    size = torch.where(far, 0.3 + 0.6 * torch.rand(count, generator=chance), size)
    size = torch.where(torch.rand(count, generator=chance) < 0.2, torch.zeros(count), size)
    turn = 2 * math.pi * torch.rand(count, generator=chance)
    # Lamps are red and lack blue; daylight's shadows the other way.
    turn = torch.where(far & (torch.rand(count, generator=chance) < 0.7), 2.35 + 0.5 * torch.randn(count, generator=chance), turn)
    return torch.stack([size * torch.cos(turn), size * torch.sin(turn)], 1)


def drawn(count, chance):
    """Squares with blocks of many colours, each with its opposite, and of greys, shaded, as charts and slides have them; in linear light."""
    out = []
    for _ in range(count):
        rows, columns, kinds = [int(torch.randint(low, high, (1,), generator=chance)) for low, high in ((2, 9), (2, 9), (2, 7))]
        bright = 0.05 + 0.9 * torch.rand(2 * kinds, 1, generator=chance)
        tint = (torch.rand(kinds, 3, generator=chance) - 0.5) * (0.2 + 0.8 * torch.rand(1, generator=chance))
        coloured = bright * (1 + torch.cat([tint, -tint]))
        palette = torch.cat([coloured, bright.repeat(1, 3), torch.ones(kinds, 3)])
        which = torch.randint(0, len(palette), (rows, columns), generator=chance)
        square = F.interpolate(palette[which].permute(2, 0, 1)[None], (64, 64), mode='nearest')[0]
        ramp = torch.linspace(0, 1, 64)
        if torch.rand(1, generator=chance) < 0.5:
            square = square * (0.6 + 0.4 * (ramp[:, None] if torch.rand(1, generator=chance) < 0.5 else ramp[None]))
        out.append(square.clamp(0, 1))
    return torch.stack(out)


#: Of 64 squares so many are drawn.
DRAWN = 6


def between(low, high, count, chance):
    """Numbers for a batch, each to be multiplied with a whole square."""
    return low + (high - low) * torch.rand(count, 1, 1, 1, generator=chance)


def printed(light, chance):
    """Squares as other cameras and programs might have made them: duller or livelier, softer or harder, black and white nearer to grey."""
    count = len(light)
    grey = light.mean(1, keepdim=True)
    light = (grey + (light - grey) * between(0.5, 1.3, count, chance)).clamp(0, 1)
    light = (light + 1e-4) ** between(0.8, 1.25, count, chance)
    is_lifted = (torch.rand(count, 1, 1, 1, generator=chance) < 0.5).float()
    black, white = is_lifted * between(0, 0.02, count, chance), 1 - is_lifted * between(0, 0.5, count, chance)
    return black + light * (white - black)


def lit(light, cast, chance):
    """Squares in linear light under a cast, brighter or darker, cut off at white, under a curve of brightness; the casts that the curves leave."""
    count = len(cast)
    light = printed(light, chance)
    gains = gains_of(cast)
    top = gains.amax(1, keepdim=True)
    # Some as by a filter, which takes light away; most as by a camera, which keeps the brightness.
    keeps = (torch.rand(count, 1, generator=chance) < 0.6).float()
    gains = gains / (top * (1 - keeps) + gains.mean(1, keepdim=True) * keeps)
    bright = torch.exp(0.45 * torch.randn(count, 1, generator=chance)).clamp(0.3, 2.2)
    bright = torch.where(torch.rand(count, 1, generator=chance) < 0.3, torch.ones(1), bright)
    light = (light * (gains * bright)[:, :, None, None]).clamp(0, 1)
    # Relations of channels under a power are those to that power.
    power = torch.where(torch.rand(count, generator=chance) < 0.5, torch.ones(1), 0.8 + 0.45 * torch.rand(count, generator=chance))
    light = light ** power[:, None, None, None]
    light = (light + 0.003 * torch.randn(light.shape, generator=chance) * light.sqrt()).clamp(0, 1)
    return light, cast * power[:, None]


def evaluate(network, squares):
    """Mean degrees between found and true lights for six casts of each square (whole pictures), and for none."""
    light = linear(torch.from_numpy(squares[:, 0]).float().permute(0, 3, 1, 2) / 255)
    casts = [(1, 0.9, 0.8), (0.8, 0.9, 1), (0.82, 1, 0.82), (1, 0.82, 1), (1, 1, 0.8), (0.8, 1, 1), (1, 1, 1)]
    found = []
    with torch.no_grad():
        for cast in casts:
            gains = torch.tensor(cast)
            seen = light * gains[:, None, None]
            total = torch.zeros(len(seen), 2)
            for _ in range(2):
                step = network(features(seen))
                total = total + step
                seen = (seen * gains_of(-step)[:, :, None, None]).clamp(0, 1)
            rest = gains / gains_of(total)
            angle = torch.rad2deg(torch.acos((rest.sum(1) / (3**0.5 * rest.norm(dim=1))).clamp(max=1)))
            found.append(angle)
    return torch.stack(found[:6]).mean().item(), torch.stack(found[:6]).median().item(), found[6].mean().item(), found[6].median().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--work', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--minutes', type=float, default=15)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--begin')
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    chance = torch.Generator().manual_seed(given.seed)
    train = torch.from_numpy(np.load(f'{given.work}/train.npy'))
    out = np.load(f'{given.work}/out.npy')
    names = [line.split('\t')[2] for line in open(f'{given.work}/train.tsv')]
    counts = {name: names.count(name) for name in set(names)}
    weights = torch.tensor([counts[name] ** -0.5 for name in names])
    network = Network()
    if given.begin:
        network.load_state_dict(torch.load(given.begin))
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    mean = Network()
    mean.load_state_dict(network.state_dict())
    began, step, losses = time.time(), 0, []
    while time.time() - began < 60 * given.minutes:
        share = (time.time() - began) / (60 * given.minutes)
        for group in optimiser.param_groups:
            group['lr'] = 2e-3 * min(1, step / 200 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * min(1, share)))
        which = torch.multinomial(weights, 64, replacement=True, generator=chance)
        cut = torch.randint(0, train.shape[1], (64,), generator=chance)
        squares = train[which, cut].permute(0, 3, 1, 2).float() / 255
        if torch.rand(1, generator=chance) < 0.5:
            squares = squares.flip(3)
        cast = lights(64, chance)
        light, cast = lit(torch.cat([linear(squares[DRAWN:]), drawn(DRAWN, chance)]), cast, chance)
        loss = F.smooth_l1_loss(network(features(light)), cast, beta=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        with torch.no_grad():
            for kept, now in zip(mean.parameters(), network.parameters()):
                kept.lerp_(now, 0.002 if step > 1000 else 0.02)
        step += 1
        if step % 500 == 0:
            print(step, f'{time.time() - began:.0f} s, loss {np.mean(losses[-500:]):.5f}', 'left out: %.2f %.2f, none %.2f %.2f' % evaluate(mean, out), flush=True)
            torch.save(mean.state_dict(), given.out)
    torch.save(mean.state_dict(), given.out)


if __name__ == '__main__':
    main()
