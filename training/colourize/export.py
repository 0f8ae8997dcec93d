"""Writes the trained network as ONNX, its weights stored in 16 bits and cast in the graph.

export.py --backbone work/mobilenet --work work --temperature 1 --gain 1 --out colourize.onnx

Input `L` [1, 1, h, w], 0 to 100, sides in multiples of 32; output `ab` [1, 2, h/4, w/4] in Lab's units.
"""
import argparse

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import TensorProto, helper, numpy_helper

from network import finished


class Answering(nn.Module):
    """The network with the mean of its votes as its answer."""

    def __init__(self, net, bins, temperature, gain):
        super().__init__()
        self.net, self.temperature = net, temperature
        self.register_buffer('bins', bins * gain)

    def forward(self, light):
        shares = torch.softmax(self.net(light) / self.temperature, 1)
        return torch.matmul(shares.permute(0, 2, 3, 1), self.bins).permute(0, 3, 1, 2)


def stored_in_half(model):
    """Weights as 16-bit floats, each behind a cast; small ones stay as they are."""
    casts = []
    for weight in list(model.graph.initializer):
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 64:
            continue
        name = weight.name
        weight.CopyFrom(numpy_helper.from_array(values.astype(np.float16), name + '_half'))
        casts.append(helper.make_node('Cast', [name + '_half'], [name], to=TensorProto.FLOAT))
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def main():
    parser = argparse.ArgumentParser()
    for name in ('backbone', 'work', 'out'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--temperature', type=float, default=1.0)
    parser.add_argument('--gain', type=float, default=1.0, help='chroma is multiplied by this')
    given = parser.parse_args()
    torch.set_num_threads(1)
    net, bins, _ = finished(given.work, given.backbone)
    whole = Answering(net, bins, given.temperature, given.gain).eval()
    free = {'L': {2: 'h', 3: 'w'}, 'ab': {2: 'h4', 3: 'w4'}}
    torch.onnx.export(whole, torch.rand(1, 1, 192, 256) * 100, given.out, opset_version=13, input_names=['L'], output_names=['ab'], dynamic_axes=free)
    model = stored_in_half(onnx.load(given.out))
    model.doc_string = ''
    onnx.checker.check_model(model)
    onnx.save(model, given.out)
    light = torch.linspace(5, 95, 160 * 224).reshape(1, 1, 160, 224)
    with torch.no_grad():
        whole(light).numpy().tofile(given.work + '/check.f32')
    print(given.out, sum(p.numel() for p in whole.parameters()), 'weights')


if __name__ == '__main__':
    main()
