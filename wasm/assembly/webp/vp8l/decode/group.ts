/** Prefix code groups: the five codes for reading a pixel (WebP lossless bitstream specification, 6.2.2). */
import { DISTANCE_PREFIXES, LENGTH_PREFIXES, LITERALS } from '../common/alphabets';
import { BitReader } from './bits';
import { COLOUR_ENTRIES, CodeScratch, DISTANCE_ENTRIES, GREEN_ENTRIES, readCode } from './huffman';

/** A group; its tables follow it. */
@unmanaged
export class Group {
  /** Tables, and masks of the bits that index them. */
  green: usize;
  red: usize;
  blue: usize;
  alpha: usize;
  distance: usize;
  greenMask: u32;
  redMask: u32;
  blueMask: u32;
  alphaMask: u32;
  distanceMask: u32;
  /** Red, blue and alpha have one symbol each: then a literal is `base` and its green. */
  greenOnly: bool;
  base: u32;
}

const GROUP_BYTES: usize = (offsetof<Group>() + 15) & ~15;

/** Bytes of a group with the largest possible tables: the space for reading a group. */
export const LARGEST_GROUP_BYTES: usize =
  GROUP_BYTES + <usize>(GREEN_ENTRIES + 3 * COLOUR_ENTRIES + DISTANCE_ENTRIES) * 2;

/** The only symbol of a table with one entry. */
// @inline
function onlySymbol(table: usize): u32 {
  return <u32>(load<u16>(table) >> 4);
}

/**
 * Reads the next group to `at`, where LARGEST_GROUP_BYTES must be free.
 * @param cacheBits 0 for no colour cache
 * @returns bytes it takes there; 0 if a code is invalid
 */
export function readGroup(reader: BitReader, cacheBits: u32, scratch: CodeScratch, at: usize): usize {
  const group = changetype<Group>(at);
  let next = at + GROUP_BYTES;
  const greens = LITERALS + LENGTH_PREFIXES + (cacheBits > 0 ? 1 << cacheBits : 0);

  group.green = next;
  let built = readCode(reader, greens, scratch, next, GREEN_ENTRIES);
  if (built === 0) return 0;
  group.greenMask = (1 << (built & 15)) - 1;
  next += (built >> 4) << 1;

  group.red = next;
  built = readCode(reader, LITERALS, scratch, next, COLOUR_ENTRIES);
  if (built === 0) return 0;
  group.redMask = (1 << (built & 15)) - 1;
  next += (built >> 4) << 1;

  group.blue = next;
  built = readCode(reader, LITERALS, scratch, next, COLOUR_ENTRIES);
  if (built === 0) return 0;
  group.blueMask = (1 << (built & 15)) - 1;
  next += (built >> 4) << 1;

  group.alpha = next;
  built = readCode(reader, LITERALS, scratch, next, COLOUR_ENTRIES);
  if (built === 0) return 0;
  group.alphaMask = (1 << (built & 15)) - 1;
  next += (built >> 4) << 1;

  group.distance = next;
  built = readCode(reader, DISTANCE_PREFIXES, scratch, next, DISTANCE_ENTRIES);
  if (built === 0) return 0;
  group.distanceMask = (1 << (built & 15)) - 1;
  next += (built >> 4) << 1;

  group.greenOnly = (group.redMask | group.blueMask | group.alphaMask) === 0;
  group.base = (onlySymbol(group.alpha) << 24) | (onlySymbol(group.red) << 16) | onlySymbol(group.blue);
  return next - at;
}

/** Copies a group of `bytes` bytes from where it was read to where it stays. */
export function placeGroup(from: usize, bytes: usize, to: usize): void {
  memory.copy(to, from, bytes);
  const group = changetype<Group>(to);
  const distance = to - from;
  group.green += distance;
  group.red += distance;
  group.blue += distance;
  group.alpha += distance;
  group.distance += distance;
}
