import { type Box, bottom, right, type Size } from '../geometry.ts';

/** A picture's pixels, from left to right and top to bottom: red, green, blue, opacity. */
export interface Pixels extends Size {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** The part of a row or column of pixels between two places. */
interface Stretch {
  readonly from: number;
  /** For each pixel from there, the fraction that lies within: 0 to 1. */
  readonly shares: Float64Array;
}

function stretch(start: number, end: number, length: number): Stretch {
  const from = Math.max(0, Math.floor(start));
  const to = Math.min(length, Math.ceil(end));
  const shares = Float64Array.from({ length: Math.max(0, to - from) }, (_, at) =>
    Math.max(0, Math.min(end, from + at + 1) - Math.max(start, from + at)),
  );
  return { from, shares };
}

/**
 * The means of a grid's blocks, one pixel per block: colours weighted by opacity, as in the service's mosaic
 * (src/pixels/mosaic.ts).
 * @param block width and height of a block in pixels, possibly fractions, and the top left corner of the
 * first
 * @param columns number of blocks side by side, with `rows` of them
 * @param within the part of the picture that counts: blocks are clipped to it
 */
export function blockMeans(
  { data, width, height }: Pixels,
  block: Box,
  { width: columns, height: rows }: Size,
  within: Box,
): Pixels {
  const means = new Uint8ClampedArray(columns * rows * 4);
  const across = Array.from({ length: columns }, (_, column) => {
    const start = block.x + column * block.w;
    return stretch(Math.max(within.x, start), Math.min(right(within), start + block.w), width);
  });
  for (let row = 0; row < rows; row++) {
    const start = block.y + row * block.h;
    const down = stretch(Math.max(within.y, start), Math.min(bottom(within), start + block.h), height);
    for (let column = 0; column < columns; column++) {
      const { from, shares } = across[column]!;
      let red = 0;
      let green = 0;
      let blue = 0;
      let opacity = 0;
      let area = 0;
      for (let line = 0; line < down.shares.length; line++) {
        let at = ((down.from + line) * width + from) * 4;
        for (let x = 0; x < shares.length; x++, at += 4) {
          const share = shares[x]! * down.shares[line]!;
          const weight = share * data[at + 3]!;
          red += weight * data[at]!;
          green += weight * data[at + 1]!;
          blue += weight * data[at + 2]!;
          opacity += weight;
          area += share;
        }
      }
      if (opacity === 0) continue;
      means.set(
        [red / opacity, green / opacity, blue / opacity, opacity / area],
        (row * columns + column) * 4,
      );
    }
  }
  return { data: means, width: columns, height: rows };
}
