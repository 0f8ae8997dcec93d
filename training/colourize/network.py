"""The network: a MobileNetV2 looks at the lightness, a small decoder votes for colours."""
import json

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

TAPS = {2: 24, 5: 32, 12: 96, 16: 320}  # block after which features are taken, and their channels


class Backbone(nn.Module):
    """MobileNetV2 1.0 (Sandler et al. 2018), batch normalisation folded into the convolutions. Its first `frozen` blocks learn nothing."""

    def __init__(self, stem, frozen=17):
        super().__init__()
        self.index = json.load(open(stem + '.json'))
        self.raw = np.fromfile(stem + '.bin', np.float32)
        self.convs = nn.ModuleList()
        self.stem = self.add('Conv1', 'bn_Conv1', 2, False, True)
        self.blocks = []
        inputs, number = 32, 0
        for expand, outputs, repeat, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
            for turn in range(repeat):
                name = f'block_{number}' if number else 'expanded_conv'
                step = stride if turn == 0 else 1
                parts = [self.add(name + '_expand', name + '_expand_BN', 1, False, True)] if number else []
                parts.append(self.add(name + '_depthwise', name + '_depthwise_BN', step, True, True))
                parts.append(self.add(name + '_project', name + '_project_BN', 1, False, False))
                self.blocks.append((parts, step == 1 and inputs == outputs))
                inputs, number = outputs, number + 1
        del self.raw
        still = [self.stem, *(part for parts, _ in self.blocks[:frozen] for part in parts)]
        for number, *_ in still:
            self.convs[number].requires_grad_(False)

    def weight(self, key):
        entry = self.index[key]
        return self.raw[entry['start'] : entry['start'] + int(np.prod(entry['shape']))].reshape(entry['shape'])

    def add(self, conv, norm, stride, depthwise, active):
        kernel = self.weight(conv + ('/depthwise_kernel' if depthwise else '/kernel'))
        gamma, beta, mean, variance = [self.weight(f'{norm}/{x}') for x in ('gamma', 'beta', 'moving_mean', 'moving_variance')]
        scale = gamma / np.sqrt(np.maximum(variance, 0) + 1e-3)
        kernel = kernel.transpose((2, 3, 0, 1) if depthwise else (3, 2, 0, 1)) * scale[:, None, None, None]
        out, per, size = kernel.shape[:3]
        made = nn.Conv2d(per * (out if depthwise else 1), out, size, stride, 0, groups=out if depthwise else 1)
        made.weight.data = torch.tensor(np.ascontiguousarray(kernel))
        made.bias.data = torch.tensor(beta - mean * scale)
        self.convs.append(made)
        return len(self.convs) - 1, active, size, stride

    def apply_one(self, x, part):
        number, active, size, stride = part
        if size == 3:
            x = F.pad(x, (0, 1, 0, 1) if stride == 2 else (1, 1, 1, 1))  # Keras's "same"
        x = self.convs[number](x)
        return F.relu6(x) if active else x

    def forward(self, x):
        """Features at 1/4, 1/8, 1/16 and 1/32 of RGB in 0 to 1."""
        x = self.apply_one(x, self.stem)
        found = []
        for number, (parts, residual) in enumerate(self.blocks):
            y = x
            for part in parts:
                y = self.apply_one(y, part)
            x = x + y if residual else y
            if number in TAPS:
                found.append(x)
        return found


def twice(x):
    return F.interpolate(x, scale_factor=2.0, mode='bilinear', align_corners=False)


class Decoder(nn.Module):
    """From features to a vote for each of the colour bins, at a quarter of the size."""

    def __init__(self, bins, drop=0.15):
        super().__init__()
        self.norm = nn.ParameterList([nn.Parameter(torch.zeros(2, c, 1, 1), requires_grad=False) for c in TAPS.values()])
        self.a = nn.Conv2d(320, 128, 1)
        self.everywhere = nn.Linear(128, 128)
        self.b1, self.b2 = nn.Conv2d(128 + 96, 128, 3, padding=1), nn.Conv2d(128, 128, 3, padding=1)
        self.c1, self.c2 = nn.Conv2d(128 + 32, 96, 3, padding=1), nn.Conv2d(96, 96, 3, padding=1)
        self.l1, self.l2 = nn.Conv2d(1, 12, 3, 2, 1), nn.Conv2d(12, 16, 3, 2, 1)
        self.d = nn.Conv2d(96, 48, 1)
        self.e = nn.Conv2d(48 + 24 + 16, 48, 1)
        self.f1, self.f2 = nn.Conv2d(48, 48, 3, padding=1, groups=48), nn.Conv2d(48, 48, 1)
        self.vote = nn.Conv2d(48, bins, 1)
        self.drop = nn.Dropout2d(drop)

    def forward(self, f4, f8, f16, f32, light, take=None):
        """`light` is L/50 - 1; `take` picks every second place in training."""
        f4, f8, f16, f32 = [(f - n[0]) * torch.exp(n[1]) for f, n in zip((f4, f8, f16, f32), self.norm)]
        x = F.relu(self.a(self.drop(f32)))
        x = x + self.everywhere(x.mean((2, 3)))[:, :, None, None]
        x = F.relu(self.b1(torch.cat([twice(x), self.drop(f16)], 1)))
        x = x + F.relu(self.b2(x))
        x = F.relu(self.c1(torch.cat([twice(x), self.drop(f8)], 1)))
        x = x + F.relu(self.c2(x))
        fine = F.relu(self.l2(F.relu(self.l1(light))))
        x = F.relu(self.e(torch.cat([twice(F.relu(self.d(x))), f4, fine], 1)))
        x = x + F.relu(self.f2(self.f1(x)))
        if take is not None:
            x = x[:, :, take[0] :: 2, take[1] :: 2]
        return self.vote(x)


def code_of(light):
    """sRGB code value 0 to 1 of a grey of lightness L 0 to 100."""
    y = (light + 16) / 116
    line = torch.where(y > 6 / 29, y**3, 3 * (6 / 29) ** 2 * (y - 4 / 29))
    return torch.where(line > 0.0031308, 1.055 * torch.clamp(line, min=1e-6) ** (1 / 2.4) - 0.055, 12.92 * line)


class Colouriser(nn.Module):
    """Both together: from lightness 0 to 100 to votes."""

    def __init__(self, backbone, decoder):
        super().__init__()
        self.backbone, self.decoder = backbone, decoder

    def forward(self, light, take=None):
        seen = code_of(light).expand(-1, 3, -1, -1).contiguous(memory_format=torch.channels_last)
        return self.decoder(*self.backbone(seen), (light - 50) / 50, take)


def finished(work, stem):
    """The network as the second stage kept it, its colour bins, and what was measured of it."""
    kept = torch.load(f'{work}/whole.pt')
    net = Colouriser(Backbone(stem), Decoder(len(kept['bins'])))
    net.load_state_dict(kept['whole'])
    return net.eval(), kept['bins'], kept['row']


def expected(votes, bins, temperature):
    """The mean colour of the votes, sharpened by a temperature below 1 (annealed mean, Zhang et al. 2016)."""
    return torch.einsum('nqhw,qc->nchw', torch.softmax(votes / temperature, 1), bins)
