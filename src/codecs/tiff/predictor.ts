import type { Page } from './page.ts';

/**
 * Turns a row of differences back into samples, in place.
 * @param row one stored row: `samples` values for each pixel, next to each other
 */
export type Undo = (row: Uint8Array) => void;

/** The predictor of a page, or undefined when its rows are stored as they are. */
export function undoPredictor(page: Page): Undo | undefined {
  const { predictor, bits, littleEndian } = page;
  const samples = page.planar ? 1 : page.samples;
  if (predictor === 1) return undefined;
  if (predictor === 3) {
    let sorted = new Uint8Array(0);
    return (row) => {
      if (sorted.length !== row.length) sorted = new Uint8Array(row.length);
      undoFloating(row, sorted, samples, bits / 8, littleEndian);
    };
  }
  if (bits === 8) return (row) => undoBytes(row, samples);
  if (bits === 16) return (row) => undoPairs(row, samples * 2, littleEndian ? 0 : 1);
  return (row) => undoWords(row, samples, bits / 8, littleEndian);
}

/** TIFF 6.0 section 14: each sample is stored as the difference to the one a pixel to the left, modulo 2⁸. */
function undoBytes(row: Uint8Array, samples: number): void {
  for (let at = samples; at < row.length; at++) row[at] = row[at]! + row[at - samples]!;
}

/** The same modulo 2¹⁶, by far the most common. @param low position of the low byte in a pair */
function undoPairs(row: Uint8Array, stride: number, low: 0 | 1): void {
  const high = 1 - low;
  for (let at = stride; at + 2 <= row.length; at += 2) {
    const sum = row[at + low]! + row[at + low - stride]!;
    row[at + low] = sum;
    row[at + high] = row[at + high]! + row[at + high - stride]! + (sum >> 8);
  }
}

/**
 * The same modulo 2³² or 2⁶⁴, byte by byte with a carry: this needs no wider type, whatever the byte order.
 */
function undoWords(row: Uint8Array, samples: number, size: number, littleEndian: boolean): void {
  const stride = samples * size;
  for (let at = stride; at + size <= row.length; at += size) {
    let carry = 0;
    for (let index = 0; index < size; index++) {
      const place = at + (littleEndian ? index : size - 1 - index);
      const sum = row[place]! + row[place - stride]! + carry;
      row[place] = sum;
      carry = sum >> 8;
    }
  }
}

/**
 * Adobe Photoshop TIFF Technical Note 3: the row's bytes are sorted by significance, highest first, whatever
 * the file's byte order, and stored as differences a pixel apart.
 */
function undoFloating(
  row: Uint8Array,
  sorted: Uint8Array,
  samples: number,
  size: number,
  littleEndian: boolean,
): void {
  undoBytes(row, samples);
  sorted.set(row);
  const count = Math.floor(row.length / size);
  for (let index = 0; index < count; index++) {
    for (let byte = 0; byte < size; byte++) {
      row[index * size + (littleEndian ? size - 1 - byte : byte)] = sorted[byte * count + index]!;
    }
  }
}
