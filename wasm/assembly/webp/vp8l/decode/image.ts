/**
 * An entropy-coded image while it is being read (WebP lossless bitstream specification, section 5): the main
 * image or one of the side images that describe it. Its pixels go to a ring of whole rows, which backward
 * references read.
 */

import { MAX_DISTANCE } from '../common/reference';
import { Group } from './group';

/** Bytes that copies may write past their end (../../inflate/copy). */
export const COPY_SLACK: usize = 32;
/** Pixels that must be kept, at either pixel size, including what a copy may overwrite of the oldest. */
const HISTORY: i32 = MAX_DISTANCE + <i32>COPY_SLACK;
/** The largest colour table. It is read as an image of one row, even if the picture is smaller. */
const MAX_TABLE: i32 = 256;

@unmanaged
export class EntropyImage {
  width: i32;
  height: i32;
  /** Log2 of the bytes per pixel: 2, or 0 if only green is kept. */
  shift: u32;
  /** A ring of whole rows, its end, and where the next row goes. */
  ring: usize;
  ringEnd: usize;
  rowAt: usize;
  /** The next row, and the number of pixels before it. */
  y: i32;
  done: u32;
  /** What is left of a copy that reached the end of a row. */
  copyLeft: u32;
  copyDistance: u32;
  /** 0 for none. */
  cacheBits: u32;
  cache: usize;
  /** If there is one prefix code group. */
  group: Group;
  /**
   * If there are several groups: their addresses by number, and u16 numbers per block of 2^blockBits pixels;
   * else 0.
   */
  groups: usize;
  groupsEnd: usize;
  blocks: usize;
  blockBits: u32;
  blocksWide: i32;
}

/** Bytes of a ring for an image of this size and all side images. */
export function ringBytes(width: i32, height: i32, shift: u32): usize {
  // One row more than the history, so that it also holds whole rows of any smaller width.
  const pixels = min(width * height, HISTORY + width);
  return max((<usize>pixels) << shift, (<usize>MAX_TABLE) << 2) + COPY_SLACK;
}

/** Whether a ring of `bytes` bytes is large enough for an image of this size. */
export function ringServes(bytes: usize, width: i32, height: i32): bool {
  return (<usize>min(width * height, HISTORY + width)) << 2 <= bytes - COPY_SLACK;
}

/** Starts an image at its first pixel, with an empty colour cache. */
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
