"""Writes the notice that ships with the weights: whose photos they were trained on.

notice.py --work work --about "colourize.onnx: ..." --out NOTICE-colourize.txt
"""
import argparse

CREDITS = {
    'tf_flowers': 'TensorFlow flower_photos: photographers of Flickr; the number a name begins with is the photo on Flickr, authors in the LICENSE.txt of the collection',
    'weather4': 'Multi-class Weather Dataset for Image Classification, Gbeminiyi Ajayi, Mendeley Data, doi:10.17632/4drtyfjtfy.1',
    'grocery': 'Grocery Store Dataset, Marcus Klasson, Cheng Zhang, Hedvig Kjellström',
    'g18f': '18F, General Services Administration of the United States',
    'oi_apple_boat_bike_person_bird': "Open Images, photographers of Flickr; a name's first part is the photo's number in Open Images, which names its author",
    'basedcooking': 'based.cooking, its contributors',
    'pdrecipes': 'public domain recipes, its contributors',
}


def main():
    parser = argparse.ArgumentParser()
    for name in ('work', 'about', 'out'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    found = {}
    for line in open(f'{given.work}/train.tsv'):
        _, _, source, licence, _, origin = line.rstrip('\n').split('\t')
        found.setdefault((source, licence), []).append(origin)
    total = sum(map(len, found.values()))
    with open(given.out, 'w') as out:
        out.write(f'{given.about}\nTrained for this project on small copies of {total} photos. The photos themselves do not ship. With thanks to:\n')
        for (source, licence), names in sorted(found.items(), key=lambda item: -len(item[1])):
            credit = CREDITS.get(source) or f"OpenStax, Rice University, {source.removeprefix('ostax_').replace('-', ' ')} (openstax.org), and those its captions credit"
            out.write(f'\n{credit}\n{licence}; {len(names)} photos:\n')
            for name in sorted(names):
                out.write(f'  {name}\n')


if __name__ == '__main__':
    main()
