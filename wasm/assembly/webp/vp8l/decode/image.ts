/**
 * An entropy-coded image (WebP lossless bitstream specification, section 5) on its way: the main image or one
 * of those that describe it. Its pixels go to a ring of whole rows, which backward references read.
 */

import { MAX_DISTANCE } from '../common/reference';
import { Group } from './group';

/** Copies may write so many bytes past their end (../../inflate/copy). */
export const COPY_SLACK: usize = 32;
/** Pixels that must stay, of either size, with what a copy may spoil of the oldest. */
const HISTORY: i32 = MAX_DISTANCE + <i32>COPY_SLACK;
/** The largest colour table: it is read as an image of one row, however small the picture. */
const MAX_TABLE: i32 = 256;

@unmanaged
export class EntropyImage {
  width: i32;
  height: i32;
  /** Log2 of bytes a pixel: 2, or 0 where only green is kept. */
  shift: u32;
  /** Whole rows; where the next row goes. */
  ring: usize;
  ringEnd: usize;
  rowAt: usize;
  /** The next row, and pixels before it. */
  y: i32;
  done: u32;
  /** What a copy that reached the end of a row has left for the next. */
  copyLeft: u32;
  copyDistance: u32;
  /** 0 for none. */
  cacheBits: u32;
  cache: usize;
  /** Of one prefix code group. */
  group: Group;
  /** Of several: their addresses by number, and u16 numbers by blocks of 2^blockBits pixels; 0 of one. */
  groups: usize;
  groupsEnd: usize;
  blocks: usize;
  blockBits: u32;
  blocksWide: i32;
}

/** Bytes of a ring that serves an image of this size and all that describe it. */
export function ringBytes(width: i32, height: i32, shift: u32): usize {
  // A row more than the history, so that it holds whole rows of any smaller width, too.
  const pixels = min(width * height, HISTORY + width);
  return max((<usize>pixels) << shift, (<usize>MAX_TABLE) << 2) + COPY_SLACK;
}

/** Whether a ring of so many bytes serves an image of this size. */
export function ringServes(bytes: usize, width: i32, height: i32): bool {
  return (<usize>min(width * height, HISTORY + width)) << 2 <= bytes - COPY_SLACK;
}

/** Begins an image from its first pixel, its colour cache empty. */
export function startImage(image: EntropyImage, ring: usize, bytes: usize): void {
  const rowBytes = (<usize>image.width) << image.shift;
  const rows = min(<usize>image.height, (bytes - COPY_SLACK) / rowBytes);
  image.ring = ring;
  image.ringEnd = ring + rows * rowBytes;
  image.rowAt = ring;
  image.y = 0;
  image.done = 0;
  image.copyLeft = 0;
  if (image.cacheBits > 0) memory.fill(image.cache, 0, (<usize>4) << image.cacheBits);
}

/** Goes on to the next row. */
export function nextRow(image: EntropyImage): void {
  image.rowAt += (<usize>image.width) << image.shift;
  if (image.rowAt === image.ringEnd) image.rowAt = image.ring;
  image.y++;
  image.done += image.width;
}

/** The group for column `x` of the next row. */
// @inline
export function groupAt(image: EntropyImage, x: i32): Group {
  if (!image.blocks) return image.group;
  const block = (image.y >> image.blockBits) * image.blocksWide + (x >> image.blockBits);
  const number = <usize>load<u16>(image.blocks + ((<usize>block) << 1));
  return changetype<Group>(load<usize>(image.groups + (number << 2)));
}
