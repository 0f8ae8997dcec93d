"""Writes the trained network as a TypeScript module: 8-bit weights, a scale and a bias for each row, in base64.

export.py --weights work/illuminant.pt --out ../../shared/effects/enhance-colour/light-weights.ts

Of each layer in turn: for every output its scale and bias (32-bit floats, little-endian), then all weights (signed bytes), outputs first.
"""
import argparse
import base64

import numpy as np
import torch

from train import WIDTHS, Network


def main():
    parser = argparse.ArgumentParser()
    for name in ('weights', 'out'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    network = Network()
    network.load_state_dict(torch.load(given.weights))
    packed = b''
    for layer in (*network.layers, network.local, network.whole, network.head):
        weight = layer.weight.detach().numpy().reshape(len(layer.weight), -1)
        scale = np.abs(weight).max(1) / 127
        whole = np.round(weight / scale[:, None]).astype(np.int8)
        packed += np.stack([scale, layer.bias.detach().numpy()], 1).astype('<f4').tobytes() + whole.tobytes()
    text = base64.b64encode(packed).decode()
    with open(given.out, 'w') as file:
        file.write(f"""/** Written by training/illuminant/export.py: of each layer a scale and a bias for every output, then all weights as signed bytes. */
export const LIGHT_WEIGHTS =
  '{text}'

/** Channels that the layers come to. */
export const LIGHT_WIDTHS = [{', '.join(map(str, WIDTHS))}] as const
""")


if __name__ == '__main__':
    main()
