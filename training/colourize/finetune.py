"""The second stage: the whole network but the backbone's first blocks learns on, from photos cut and aged anew each time.

finetune.py --photos photos.tar --backbone work/mobilenet --work work

Every run starts from the decoder of the first stage and is annealed to its end; what is kept is the mean of the runs' weights ("model soup",
Wortsman et al. 2022). No photo chooses when to stop; what is printed is for who looks on.
"""
import argparse
import copy
import io
import json
import tarfile
import time

import numpy as np
import torch
import torch.nn as nn
from PIL import Image

from augment import cut
from lab import lab_of
from network import Backbone, Colouriser, Decoder, expected
from prepare import members
from train import BATCH, loss_of

FROZEN = 3  # blocks of the backbone that stay as they are; they see edges, and their gradients cost the most
RATES = 1e-4, 3e-4  # of the backbone and of the decoder
STEPS = 150  # longer ones err more on sources that none has seen
RUNS = dict(seed=1, evenness=0.5), dict(seed=3, evenness=0.8), dict(seed=4, evenness=1.0)
TEMPERATURE = 0.85


def photos_of(archive, rows):
    """Whole photos in Lab, half floats (3, h, w)."""
    tar = tarfile.open(archive)
    names = members(tar)
    for row in rows:
        image = Image.open(io.BytesIO(tar.extractfile(names[row[1]]).read())).convert('RGB')
        yield lab_of(np.asarray(image)).transpose(2, 0, 1).astype(np.float16)


def shares_of(rows, evenness):
    """How often each photo is drawn: with an evenness of 1 every source equally often, with 0 every photo."""
    _, which, counts = np.unique([row[2] for row in rows], return_inverse=True, return_counts=True)
    weight = counts[which] ** -evenness
    return weight / weight.sum()


def cut_of(net, stores, bins):
    """Cut of the squared error of ab against grey, in percent."""
    net.eval()
    error = grey = 0.0
    with torch.no_grad():
        for at in range(0, len(stores[0]), 16):
            light, ab = [torch.from_numpy(np.array(store[at : at + 16])).float() for store in stores]
            ab = ab.permute(0, 3, 1, 2)
            error, grey = error + ((expected(net(light[:, None]), bins, TEMPERATURE) - ab) ** 2).sum(), grey + (ab * ab).sum()
    net.train()
    return round(100 * float(1 - error / grey), 2)


def averaged(net, photos, shares, kept, chance):
    """Trains `net`; answers its weights averaged over the last hundred steps."""
    mean = copy.deepcopy(net)
    learn = [[p for p in part.parameters() if p.requires_grad] for part in (net.backbone, net.decoder)]
    optimiser = torch.optim.AdamW([dict(params=part) for part in learn], weight_decay=0.05)
    for step in range(STEPS):
        for group, rate in zip(optimiser.param_groups, RATES):
            group['lr'] = rate * min(1, (step + 1) / 40) * (0.51 + 0.5 * np.cos(np.pi * step / STEPS))
        light, ab = [torch.cat(part) for part in zip(*(cut(photos[i], chance) for i in chance.choice(len(photos), BATCH, p=shares)))]
        take = chance.integers(0, 2, 2)
        loss = loss_of(net(light, take), ab[:, :, take[0] :: 2, take[1] :: 2], kept['bins'], kept['weights'])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learn[0] + learn[1], 2.0)
        optimiser.step()
        keep = min(0.99, (step + 1) / (step + 10))
        with torch.no_grad():
            for slow, fast in zip(mean.parameters(), net.parameters()):
                slow.lerp_(fast, 1 - keep)
    return mean


def main():
    parser = argparse.ArgumentParser()
    for name in ('photos', 'backbone', 'work'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    began = time.process_time()
    kept = torch.load(f'{given.work}/decoder.pt')
    rows = [line.rstrip('\n').split('\t') for line in open(f'{given.work}/train.tsv')]
    photos = list(photos_of(given.photos, rows))
    sets = {name: [np.load(f'{given.work}/{name}_0_{key}.npy', mmap_mode='r') for key in ('light', 'ab')] for name in ('out', 'val')}
    ends = []
    for run in RUNS:
        torch.manual_seed(run['seed'])
        decoder = Decoder(len(kept['bins']))
        decoder.load_state_dict(kept['net'])
        net = Colouriser(Backbone(given.backbone, FROZEN), decoder).to(memory_format=torch.channels_last)
        mean = averaged(net, photos, shares_of(rows, run['evenness']), kept, np.random.default_rng(run['seed']))
        cuts = {name: cut_of(mean, stores, kept['bins']) for name, stores in sets.items()}
        print(json.dumps(dict(run, minutes=round((time.process_time() - began) / 60, 1), **cuts)), flush=True)
        ends.append(mean.state_dict())
    whole = {name: sum(end[name] for end in ends) / len(ends) for name in ends[0]}
    torch.save(dict(whole=whole, bins=kept['bins'], row=dict(steps=STEPS, runs=RUNS)), f'{given.work}/whole.pt')


if __name__ == '__main__':
    main()
