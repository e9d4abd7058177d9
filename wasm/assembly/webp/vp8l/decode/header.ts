/**
 * Reads what comes before the main image's pixels: transforms, colour cache, prefix codes (sections 3, 4,
 * 6.2).
 */
import { overrun, readBits } from './bits';
import { ELEMENT_BYTES } from './colour';
import * as LosslessFault from './faults';
import { Group, placeGroup, readGroup } from './group';
import { MAX_CACHE_BITS } from './huffman';
import { EntropyImage } from './image';
import { packingOf, sumColours } from './index_colours';
import { readSideImage, SideUse } from './side_image';
import { fail, Lossless, MAX_TRANSFORMS, reserveSide, Transform, TransformKind, transformAt } from './state';

/** Section 3. */
const SIGNATURE: u32 = 0x2f;
/** The edge of a block is 2^(2 + a 3-bit number) pixels (sections 4.1, 4.2, 6.2.2). */
const MIN_BLOCK_BITS: u32 = 2;
/**
 * The most symbols of a stream's normal prefix codes, all together, including groups that no pixel uses.
 * libwebp's encoder stays below 5.6 million (2,600 groups with 10 bits of cache). A file with 65,536 groups
 * of large codes for one pixel is refused.
 */
const MAX_CODE_SYMBOLS: i32 = 16 << 20;

/** Reads the image header: signature, size, hint, version. */
export function readSize(lossless: Lossless): bool {
  const reader = lossless.reader;
  if (readBits(reader, 8) !== SIGNATURE) return fail(lossless, LosslessFault.BAD_SIGNATURE);
  lossless.width = <i32>readBits(reader, 14) + 1;
  lossless.height = <i32>readBits(reader, 14) + 1;
  lossless.alphaUsed = readBits(reader, 1) !== 0;
  if (readBits(reader, 3) !== 0) return fail(lossless, LosslessFault.BAD_VERSION);
  return !overrun(reader) || fail(lossless, LosslessFault.TRUNCATED);
}

/** Reads everything up to the main image's first pixel, and notes where that is. */
export function readHeader(lossless: Lossless): bool {
  const reader = lossless.reader;
  let width = lossless.width;
  while (readBits(reader, 1)) {
    const kind = <i32>readBits(reader, 2);
    for (let i = 0; i < lossless.transformCount; i++) {
      if (transformAt(lossless, i).kind === kind) return fail(lossless, LosslessFault.REPEATED_TRANSFORM);
    }
    const transform = transformAt(lossless, lossless.transformCount++);
    transform.kind = kind;
    transform.width = width;
    if (!readTransform(lossless, transform)) return false;
    if (kind === TransformKind.ColourIndexing) width = blocksOf(width, transform.bits);
    if (lossless.transformCount === MAX_TRANSFORMS) {
      // Each kind has been seen, so any further one would be a repetition.
      if (readBits(reader, 1)) return fail(lossless, LosslessFault.REPEATED_TRANSFORM);
      break;
    }
  }
  const main = lossless.main;
  main.width = width;
  main.height = lossless.height;
  if (!readCacheSize(lossless, main) || !readGroups(lossless)) return false;
  if (overrun(reader)) return fail(lossless, LosslessFault.TRUNCATED);
  lossless.startBits = reader.bits;
  lossless.startCount = reader.count;
  lossless.startNext = reader.next;
  return true;
}

/** How many blocks of 2^bits pixels cover `pixels` pixels. */
function blocksOf(pixels: i32, bits: u32): i32 {
  return (pixels + (1 << bits) - 1) >> bits;
}

function readTransform(lossless: Lossless, transform: Transform): bool {
  const reader = lossless.reader;
  if (transform.kind === TransformKind.SubtractGreen) return true;
  if (transform.kind === TransformKind.ColourIndexing) {
    const colours = <i32>readBits(reader, 8) + 1;
    transform.bits = packingOf(colours);
    if (!readSide(lossless, colours, 1, SideUse.Colours, lossless.colourTable)) return false;
    sumColours(lossless.colourTable, colours);
    return true;
  }
  transform.bits = readBits(reader, 3) + MIN_BLOCK_BITS;
  transform.blocksWide = blocksOf(transform.width, transform.bits);
  const blocksHigh = blocksOf(lossless.height, transform.bits);
  const predictor = transform.kind === TransformKind.Predictor;
  const blocks = <usize>transform.blocksWide * blocksHigh;
  // Elements are stored four bytes at a time.
  transform.plane = reserveSide(lossless, predictor ? blocks : blocks * ELEMENT_BYTES + 1);
  if (!transform.plane) return false;
  const use = predictor ? SideUse.Modes : SideUse.Elements;
  return readSide(lossless, transform.blocksWide, blocksHigh, use, transform.plane);
}

/** Reads one of the images that describe the main one: a cache, one group, pixels. */
function readSide(lossless: Lossless, width: i32, height: i32, use: i32, to: usize): bool {
  const side = lossless.side;
  side.width = width;
  side.height = height;
  side.shift = 2;
  if (!readCacheSize(lossless, side)) return false;
  if (readNextGroup(lossless, side) === 0) return false;
  side.group = changetype<Group>(lossless.groupAt);
  return readSideImage(lossless, use, to);
}

/** Section 5.2.3. */
function readCacheSize(lossless: Lossless, image: EntropyImage): bool {
  image.cacheBits = 0;
  if (!readBits(lossless.reader, 1)) return true;
  image.cacheBits = readBits(lossless.reader, 4);
  const known = image.cacheBits >= 1 && image.cacheBits <= MAX_CACHE_BITS;
  return known || fail(lossless, LosslessFault.BAD_CACHE_SIZE);
}

/** Reads the next group into the space for reading groups. @returns its bytes; 0 on a fault */
function readNextGroup(lossless: Lossless, image: EntropyImage): usize {
  const reader = lossless.reader;
  const scratch = lossless.scratch;
  if (scratch.symbols > MAX_CODE_SYMBOLS) {
    fail(lossless, LosslessFault.TOO_MANY_CODES);
    return 0;
  }
  const bytes = readGroup(reader, image.cacheBits, scratch, lossless.groupAt);
  if (bytes === 0) fail(lossless, overrun(reader) ? LosslessFault.TRUNCATED : LosslessFault.BAD_CODE);
  return bytes;
}

/**
 * Reads the main image's prefix code groups: one, or as many as its entropy image has numbers (section
 * 6.2.2).
 */
function readGroups(lossless: Lossless): bool {
  const main = lossless.main;
  if (!readBits(lossless.reader, 1)) {
    const bytes = readNextGroup(lossless, main);
    if (bytes === 0) return false;
    const group = reserveSide(lossless, bytes);
    if (group === 0) return false;
    placeGroup(lossless.groupAt, bytes, group);
    main.group = changetype<Group>(group);
    return true;
  }
  main.blockBits = readBits(lossless.reader, 3) + MIN_BLOCK_BITS;
  main.blocksWide = blocksOf(main.width, main.blockBits);
  const blocksHigh = blocksOf(main.height, main.blockBits);
  const blocks = <usize>main.blocksWide * blocksHigh;
  main.blocks = reserveSide(lossless, blocks << 1);
  if (!main.blocks) return false;
  if (!readSide(lossless, main.blocksWide, blocksHigh, SideUse.Groups, main.blocks)) return false;

  let highest: u32 = 0;
  for (let i: usize = 0; i < blocks; i++) highest = max(highest, <u32>load<u16>(main.blocks + (i << 1)));
  main.groups = reserveSide(lossless, (<usize>(highest + 1)) << 2);
  if (!main.groups) return false;
  // Numbers may have gaps: the codes of numbers that no block uses must still be read, but are not kept.
  main.groupsEnd = main.groups + ((<usize>(highest + 1)) << 2);
  memory.fill(main.groups, 0, main.groupsEnd - main.groups);
  for (let i: usize = 0; i < blocks; i++) {
    store<u32>(main.groups + ((<usize>load<u16>(main.blocks + (i << 1))) << 2), 1);
  }
  for (let at = main.groups; at < main.groupsEnd; at += 4) {
    const bytes = readNextGroup(lossless, main);
    if (bytes === 0) return false;
    if (load<u32>(at) === 0) continue;
    const group = reserveSide(lossless, bytes);
    if (group === 0) return false;
    placeGroup(lossless.groupAt, bytes, group);
    store<usize>(at, group);
  }
  return true;
}
