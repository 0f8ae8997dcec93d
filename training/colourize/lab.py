"""sRGB and CIE Lab (D65) of arrays, as the engine computes them."""
import numpy as np

TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]], np.float32)
FROM_XYZ = np.linalg.inv(TO_XYZ).astype(np.float32)
WHITE = np.array([0.95047, 1.0, 1.08883], np.float32)
LINEAR = np.array([v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255], np.float32)


def lab_of(rgb):
    """Lab of an 8-bit RGB array (…, 3), float32."""
    t = LINEAR[rgb] @ TO_XYZ.T / WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1).astype(np.float32)


def rgb_of(lab):
    """8-bit RGB of a Lab array, clipped to the gamut."""
    y = (lab[..., 0] + 16) / 116
    f = np.stack([y + lab[..., 1] / 500, y, y - lab[..., 2] / 200], -1)
    xyz = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * WHITE
    line = np.clip(xyz @ FROM_XYZ.T, 0, 1)
    code = np.where(line > 0.0031308, 1.055 * line ** (1 / 2.4) - 0.055, 12.92 * line)
    return np.clip(np.round(code * 255), 0, 255).astype(np.uint8)


def grey_of(light):
    """sRGB code value 0 to 1 of a grey of lightness L 0 to 100."""
    y = (light + 16) / 116
    line = np.clip(np.where(y > 6 / 29, y**3, 3 * (6 / 29) ** 2 * (y - 4 / 29)), 0, 1)
    return np.where(line > 0.0031308, 1.055 * np.maximum(line, 1e-9) ** (1 / 2.4) - 0.055, 12.92 * line).astype(np.float32)
