/**
 * Side images, which describe the main one: read at once, and kept in as few bytes as their meaning takes.
 */
import { ELEMENT_BYTES } from './colour';
import * as LosslessFault from './faults';
import { nextRow, ringServes, startImage } from './image';
import { readRow } from './pixels';
import { fail, Lossless, reserveRing } from './state';

/** What the pixels of a side image mean (WebP lossless bitstream specification, section 5.1). */
export const enum SideUse {
  /** Predictor modes, in green. */
  Modes = 0,
  /** Colour transform elements, in blue, green and red. */
  Elements = 1,
  /** Numbers of prefix code groups, in red and green. */
  Groups = 2,
  /** Differences of colours. */
  Colours = 3,
}

/** Reads the pixels of `lossless.side` into `to`. */
export function readSideImage(lossless: Lossless, use: i32, to: usize): bool {
  const side = lossless.side;
  if (!ringServes(lossless.ringBytes, side.width, side.height) && !reserveRing(lossless, 2)) return false;
  startImage(side, lossless.ring, lossless.ringBytes);
  for (let y = 0; y < side.height; y++) {
    const fault = readRow(side, lossless.reader);
    if (fault !== LosslessFault.NONE) return fail(lossless, fault);
    to = keepRow(use, side.rowAt, side.width, to);
    nextRow(side);
  }
  return true;
}

/** Keeps what a row means. @returns where the next row's goes */
function keepRow(use: i32, row: usize, width: i32, to: usize): usize {
  const end = row + ((<usize>width) << 2);
  switch (use) {
    case SideUse.Modes:
      for (; row < end; row += 4) store<u8>(to++, load<u8>(row, 1) & 15);
      return to;
    case SideUse.Elements:
      for (; row < end; row += 4, to += ELEMENT_BYTES) store<u32>(to, load<u32>(row));
      return to;
    case SideUse.Groups:
      for (; row < end; row += 4, to += 2) store<u16>(to, load<u16>(row, 1));
      return to;
    default:
      memory.copy(to, row, end - row);
      return to + (end - row);
  }
}
