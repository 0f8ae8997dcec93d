"""Squares of whole photos for the second stage: cut at random, mirrored, and some of them made to look old."""
import numpy as np
import torch
import torch.nn.functional as F

SIDE = 192
SMALLEST = 0.6  # of the shorter side
SQUEEZE = 0.15  # natural logarithm of a side's stretch, at most
FILM = 0.15  # lightness per unit of a and b: film and filters that weigh colours otherwise


def blurred(plane, sigma):
    if sigma < 0.3:
        return plane
    radius = max(1, int(3 * sigma))
    kernel = torch.exp(-torch.arange(-radius, radius + 1).float() ** 2 / (2 * sigma * sigma))
    kernel = kernel / kernel.sum()
    plane = F.conv2d(F.pad(plane, (radius, radius, 0, 0), 'replicate'), kernel.view(1, 1, 1, -1))
    return F.conv2d(F.pad(plane, (0, 0, radius, radius), 'replicate'), kernel.view(1, 1, -1, 1))


def aged(light, chance):
    """Gamma, fading, softness and grain, each at times."""
    light = 100 * (light / 100) ** chance.uniform(0.7, 1.45)
    if chance.random() < 0.6:
        low, high = chance.uniform(0, 22), chance.uniform(75, 100)
        light = low + light * (high - low) / 100
    if chance.random() < 0.5:
        light = blurred(light, chance.uniform(0, 1.6))
    if chance.random() < 0.6:
        grain = blurred(torch.from_numpy(chance.normal(0, 1, light.shape).astype(np.float32)), chance.uniform(0, 0.9))
        light = light + grain / max(grain.std().item(), 1e-6) * chance.uniform(0, 7)
    return light.clamp(0, 100)


def lit(light, chance):
    """Another contrast and brightness."""
    mean = light.mean()
    return ((light - mean) * chance.uniform(0.75, 1.25) + mean + chance.uniform(-8, 8)).clamp(0, 100)


def cut(lab, chance):
    """Of a photo in Lab (3, h, w): lightness [1, 1, 192, 192], and ab [1, 2, 48, 48] as it was before the lightness changed."""
    height, width = lab.shape[1:]
    side, stretch = min(height, width) * chance.uniform(SMALLEST, 1), np.exp(chance.uniform(-SQUEEZE, SQUEEZE))
    tall, wide = min(height, int(side * stretch)), min(width, int(side / stretch))
    top, left = chance.integers(0, height - tall + 1), chance.integers(0, width - wide + 1)
    part = torch.from_numpy(lab[:, top : top + tall, left : left + wide].astype(np.float32))[None]
    part = F.interpolate(part, (SIDE, SIDE), mode='bilinear', align_corners=False)
    if chance.random() < 0.5:
        part = part.flip(3)
    light = part[:, :1]
    if chance.random() < 0.2:
        light = light + chance.normal(0, FILM) * part[:, 1:2] + chance.normal(0, FILM) * part[:, 2:]
    light = light.clamp(0, 100)
    if chance.random() < 0.35:
        light = aged(light, chance)
    elif chance.random() < 0.6:
        light = lit(light, chance)
    return light, F.avg_pool2d(part[:, 1:], 4)
