import { unsupportedFault } from '../../faults.ts';

/** The weights of red and blue in luma; green has the rest. */
type Weights = readonly [red: number, blue: number];

/** By MatrixCoefficients of ITU-T H.273, table 4. */
const WEIGHTS: Readonly<Record<number, Weights>> = {
  1: [0.2126, 0.0722],
  4: [0.3, 0.11],
  5: [0.299, 0.114],
  6: [0.299, 0.114],
  7: [0.212, 0.087],
  9: [0.2627, 0.0593],
};
/** For an unstated or unknown matrix: the weights of BT.601, as in libavif and Chromium. */
const ASSUMED: Weights = [0.299, 0.114];

/**
 * Matrix 12 derives the weights from the primaries: H.273 equations 32 to 37, for its table 2. Unspecified
 * primaries count as those of BT.709, as in libavif.
 */
const WEIGHTS_OF_PRIMARIES: Readonly<Record<number, Weights>> = {
  1: [0.212639, 0.072192],
  4: [0.298967, 0.114612],
  5: [0.222004, 0.071341],
  6: [0.212376, 0.086564],
  7: [0.212376, 0.086564],
  8: [0.253585, 0.068079],
  9: [0.2627, 0.059302],
  10: [0, 0],
  11: [0.209492, 0.068913],
  12: [0.228975, 0.079287],
  22: [0.231751, 0.095999],
};

const IDENTITY = 0;
const YCGCO = 8;
const CHROMA_DERIVED = 12;
/** Of the primaries. */
const BT709 = 1;
/**
 * The names in H.273 of matrices whose signals are no linear function of RGB, or that libavif does not read.
 */
const UNREAD: Readonly<Record<number, string>> = {
  10: 'BT.2020 constant luminance',
  11: 'SMPTE ST 2085',
  13: 'chromaticity-derived constant luminance',
  14: 'ICtCp',
  15: 'IPT-C2',
  16: 'YCgCo-Re',
  17: 'YCgCo-Ro',
};

/** How the samples of a picture are coded. */
export interface SampleCoding {
  /** Of H.273 tables 2 and 4. */
  readonly primaries: number;
  readonly matrix: number;
  readonly fullRange: boolean;
  /** 8, 10 or 12 bits. */
  readonly depth: number;
  readonly monochrome: boolean;
}

/**
 * The matrix of a picture's colours, row by row for red, green and blue: the factors of Y, U and V, and the
 * constant that is added (H.273 §8.3).
 * @param chromaScale the factor that chroma samples were multiplied by
 * @param most the output's largest sample
 * @throws Fault 'unsupported' for code points that have no matrix
 */
export function colourMatrix(coding: SampleCoding, chromaScale: number, most: number): number[] {
  const { depth, fullRange, monochrome } = coding;
  const top = 2 ** depth - 1;
  const unit = 2 ** (depth - 8);
  // A sample s stands for (s − zero) × gain, in the output's range.
  const luma = fullRange ? { zero: 0, gain: most / top } : { zero: 16 * unit, gain: most / (219 * unit) };
  const half = 2 ** (depth - 1);
  const chroma = { zero: half, gain: fullRange ? most / top : most / (224 * unit) };
  const rows = monochrome ? GREY : rowsOf(coding);
  const [first, second] = coding.matrix === IDENTITY ? [luma, luma] : [chroma, chroma];
  return rows.flatMap(([y, u, v]) => {
    const factors = [y * luma.gain, u * first.gain, v * second.gain] as const;
    const zero = factors[0] * luma.zero + factors[1] * first.zero + factors[2] * second.zero;
    return [factors[0], factors[1] / chromaScale, factors[2] / chromaScale, -zero];
  });
}

type Row = readonly [y: number, u: number, v: number];
const GREY: readonly Row[] = [
  [1, 0, 0],
  [1, 0, 0],
  [1, 0, 0],
];

function rowsOf({ matrix, primaries }: SampleCoding): readonly Row[] {
  const unread = UNREAD[matrix];
  if (unread) throw unsupportedFault(`Expected an AVIF in RGB or YCbCr but its colours are ${unread}`);
  // Green, blue and red, in this order.
  if (matrix === IDENTITY) {
    return [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ];
  }
  if (matrix === YCGCO) {
    return [
      [1, -1, 1],
      [1, 1, 0],
      [1, -1, -1],
    ];
  }
  const [red, blue] =
    matrix === CHROMA_DERIVED
      ? (WEIGHTS_OF_PRIMARIES[primaries] ?? WEIGHTS_OF_PRIMARIES[BT709]!)
      : (WEIGHTS[matrix] ?? ASSUMED);
  const green = 1 - red - blue;
  return [
    [1, 0, 2 * (1 - red)],
    [1, (-2 * blue * (1 - blue)) / green, (-2 * red * (1 - red)) / green],
    [1, 2 * (1 - blue), 0],
  ];
}
