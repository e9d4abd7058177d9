import { decodingFault, unsupportedFault } from '../../faults.ts';
import * as Tag from '../../metadata/tiff/tags.ts';
import type { Directory } from './directory.ts';
import { Compression, isFax, otherPhotometrics, Photometric } from './tags.ts';

type ColourKind = 'whiteIsZero' | 'grey' | 'rgb' | 'palette' | 'cmyk' | 'ycbcr' | 'lab' | 'iccLab';

/** What the samples of a pixel mean. */
export interface PageColour {
  readonly kind: ColourKind;
  /** Samples that make up the colour; alpha and others follow them. */
  readonly components: number;
  /** The samples that are shown: the colour's, then alpha. */
  readonly shown: readonly number[];
  /** Which sample is alpha, and whether the colour was multiplied by it. */
  readonly alpha: { readonly sample: number; readonly premultiplied: boolean } | undefined;
  /** Only for palettes: red, green, blue of each index, 8 bits each. */
  readonly palette: Uint8Array | undefined;
  /**
   * How many pixels share one stored pair of colour differences; [1, 1] if none do, and for JPEG, which
   * subsamples inside its data.
   */
  readonly subsampling: readonly [horizontal: number, vertical: number];
  /** Shares of red, green and blue in luma (tag 529). */
  readonly luma: readonly [red: number, green: number, blue: number];
  /** Codes of black and white for Y, Cb and Cr (tag 532). */
  readonly reference: readonly number[];
}

const kinds: Readonly<Record<number, readonly [kind: ColourKind, components: number]>> = {
  [Photometric.WhiteIsZero]: ['whiteIsZero', 1],
  [Photometric.BlackIsZero]: ['grey', 1],
  [Photometric.Rgb]: ['rgb', 3],
  [Photometric.Palette]: ['palette', 1],
  // A mask is 1 where its image is visible (TIFF 6.0 tag 262): white on black.
  [Photometric.Mask]: ['grey', 1],
  [Photometric.Separated]: ['cmyk', 4],
  [Photometric.YCbCr]: ['ycbcr', 3],
  [Photometric.CieLab]: ['lab', 3],
  [Photometric.IccLab]: ['iccLab', 3],
};

/** Rec. 601, TIFF 6.0's default for tag 529. */
const REC_601 = [0.299, 0.587, 0.114] as const;
/**
 * "No headroom", libtiff's default of tag 532 for YCbCr (the standard's own default makes no sense for it).
 */
const FULL_RANGE = [0, 255, 128, 255, 128, 255];

interface PageSamples {
  readonly bits: number;
  readonly samples: number;
  readonly planar: boolean;
  readonly compression: number;
}

/** @throws Fault 'unsupported' for colour that is not supported, 'decoding' for contradictions */
export function pageColourOf(directory: Directory, page: PageSamples): PageColour {
  const { bits, samples, compression } = page;
  // Without the tag, three samples are colour and one is grey, as in every reader; paper of a fax is white
  // (libtiff, tif_getimage.c).
  const grey = isFax(compression) ? Photometric.WhiteIsZero : Photometric.BlackIsZero;
  const photometric = directory.number(Tag.PhotometricInterpretation, samples >= 3 ? Photometric.Rgb : grey);
  const known = kinds[photometric];
  if (known === undefined) {
    const name = otherPhotometrics[photometric] ?? `photometric interpretation ${photometric}`;
    throw unsupportedFault(`The TIFF stores ${name}, which is not read here`);
  }
  const [kind, components] = known;
  if (samples < components) {
    throw decodingFault(`The TIFF's colour takes ${components} samples for each pixel; it has ${samples}`);
  }
  if (kind === 'cmyk' && directory.number(Tag.InkSet, 1) !== 1) {
    throw unsupportedFault('The TIFF stores cmyk other than cyan, magenta, yellow and black');
  }
  const subsampled = kind === 'ycbcr' && compression !== Compression.Jpeg;
  const subsampling = subsampled ? subsamplingOf(directory, page) : ([1, 1] as const);
  if (kind === 'ycbcr' && bits !== 8) {
    throw unsupportedFault(`The TIFF stores YCbCr samples of ${bits} bits; 8 are read`);
  }
  const [red = 0.299, green = 0.587, blue = 0.114] =
    positives(directory.numbers(Tag.YCbCrCoefficients, 3), 3) ?? REC_601;
  const reference = directory.numbers(Tag.ReferenceBlackWhite, 6);
  const alpha = alphaOf(directory, samples, components);
  const colours = Array.from({ length: components }, (_, index) => index);
  return {
    kind,
    components,
    shown: alpha === undefined ? colours : [...colours, alpha.sample],
    alpha,
    palette: kind === 'palette' ? paletteOf(directory, bits) : undefined,
    subsampling,
    luma: [red, green, blue],
    reference: reference.length === 6 && reference.every(Number.isFinite) ? reference : FULL_RANGE,
  };
}

const positives = (values: number[], count: number) =>
  values.length === count && values.every((value) => value > 0 && value < 1) ? values : undefined;

/** TIFF 6.0 section 21: 1, 2 or 4 each way; the default is 2 both ways. */
function subsamplingOf(directory: Directory, { samples, planar }: PageSamples): readonly [number, number] {
  const given = directory.numbers(Tag.YCbCrSubSampling, 2);
  const horizontal = given[0] ?? 2;
  const vertical = given[1] ?? 2;
  if (![horizontal, vertical].every((factor) => factor === 1 || factor === 2 || factor === 4)) {
    throw decodingFault(
      `The TIFF has colour subsampled ${horizontal} × ${vertical}; 1, 2 and 4 are possible`,
    );
  }
  if (horizontal * vertical > 1 && (planar || samples !== 3)) {
    throw unsupportedFault('The TIFF has subsampled colour in planes or beside other samples');
  }
  return [horizontal, vertical];
}

/**
 * ExtraSamples (tag 338): 1 is alpha that the colour is multiplied by, 2 is separate alpha, 0 states nothing
 * and is no alpha. A fourth sample of RGB without this tag counts as separate alpha, as in libvips and
 * browsers.
 */
function alphaOf(directory: Directory, samples: number, components: number): PageColour['alpha'] {
  const extra = directory.numbers(Tag.ExtraSamples, samples - components);
  const index = extra.findIndex((kind) => kind === 1 || kind === 2);
  if (index >= 0) return { sample: components + index, premultiplied: extra[index] === 1 };
  const untold = extra.length === 0 && components === 3 && samples === 4;
  return untold ? { sample: 3, premultiplied: false } : undefined;
}

/**
 * The colour map holds all reds, then greens, then blues, 16 bits each. Some writers fill in 8-bit values: if
 * none is over 255, they count as such, as in libtiff.
 */
function paletteOf(directory: Directory, bits: number): Uint8Array {
  if (bits > 8)
    throw unsupportedFault(`The TIFF has a palette of ${bits}-bit indices; up to 8 bits are read`);
  const count = 1 << bits;
  const map = directory.values(Tag.ColorMap);
  if (map === undefined || map.count < 3 * count) {
    throw decodingFault(`The TIFF's palette needs ${3 * count} values but has ${map?.count ?? 0}`);
  }
  const values = Array.from({ length: 3 * count }, (_, index) => map.at(index));
  const shift = values.some((value) => value > 255) ? 8 : 0;
  const palette = new Uint8Array(3 * count);
  for (let index = 0; index < count; index++) {
    for (let channel = 0; channel < 3; channel++) {
      palette[index * 3 + channel] = values[channel * count + index]! >> shift;
    }
  }
  return palette;
}
