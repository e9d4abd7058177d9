import { heldBytesFor } from '../../core/sizes.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { FileFacts, JpegLayout } from '../../metadata/facts.ts';
import type { Want } from '../types.ts';

// What wasm/assembly/jpeg/decode reserves, in bytes.
const PAGE = 65_536;
/** Decoder, components, places of tables, the block in work. */
const STATE = 1536;
/** planes.ts, MARGIN: bytes free before a row and after it. */
const MARGIN = 32;
/** planes.ts, STRIP_ROWS. */
const STRIP_ROWS = 8;
/** One scan's state and its bit reader, without the buffer (state.ts), rounded up. */
const SCAN = 320;
/** bits.ts, MARGIN; decoder.ts, SINGLE_CAPACITY and MANY_CAPACITY. */
const BUFFER_MARGIN = 384;
const SINGLE_CAPACITY = 8192;
const MANY_CAPACITY = 1024;
/** huffman.ts, TABLE_BYTES, rounded up. */
const TABLE = 4272;
/** 64 coefficients of 16 bits and a mask of 64 bits. */
const BLOCK = 136;
/** checkpoints.ts: their size, and how many of them there are at most, in a line of one scan and in all. */
const CHECKPOINT = 32;
const MAX_CHECKPOINTS = { single: 8192, many: 16_384 };
const MAX_IN_LINE = 16;
/** state.ts, MAX_SCANS. */
const MAX_SCANS = 256;

/**
 * Sampling that takes the most memory: in one scan an MCU has at most 10 blocks (T.81 B.2.3), in several 16 a
 * component.
 */
const worstSampling = (channels: number, manyScans: boolean): JpegLayout['sampling'] => {
  if (channels === 1) return [[1, 1]];
  if (manyScans) return Array.from({ length: channels }, () => [1, 4] as const);
  const tall: JpegLayout['sampling'] = [
    [1, 4],
    [1, 4],
    [1, 1],
    [1, 1],
  ];
  return channels === 3 ? [tall[0]!, tall[1]!, [1, 2]] : tall;
};

/**
 * Bytes that reading a JPEG holds beyond its compressed bytes, at most: the same sum as the core's
 * allocations, plus one page of WASM memory for the compressed bytes' last one. Where the facts do not tell
 * the layout, the worst is assumed.
 */
export function jpegDecodeCost(facts: FileFacts, want: Want): MemoryCost {
  const manyScans = facts.progressive;
  const sampling = facts.jpeg?.sampling ?? worstSampling(facts.channels, manyScans);
  const scans = manyScans ? Math.min(facts.jpeg?.scans ?? MAX_SCANS, MAX_SCANS) : 1;
  const scale = scaleFor(facts.width, want.minWidth);
  const horizontal = Math.max(...sampling.map(([h]) => h), 1);
  const vertical = Math.max(...sampling.map(([, v]) => v), 1);
  const mcus = Math.ceil(facts.width / (8 * horizontal));
  const width = (mcus * 8 * horizontal) / scale;

  const sizes = [STATE, Math.ceil(facts.width / scale) * STRIP_ROWS * 4 + 64, 2 * width + 4 * MARGIN];
  for (let scan = 0; scan < scans; scan++) {
    sizes.push(SCAN, (manyScans ? MANY_CAPACITY : SINGLE_CAPACITY) + BUFFER_MARGIN);
  }
  // Each component has one DC table; AC tables are one a component, or one a scan where there are many.
  for (let table = 0; table < sampling.length * 2 + (manyScans ? scans : 0); table++) sizes.push(TABLE);
  for (const [h, v] of sampling) {
    const size = sampleSize(h, v, horizontal, vertical, scale);
    sizes.push((mcus * h * size + 15 + 2 * MARGIN) * (v * size + 2), 128);
    if (h * size * scale < 8 * horizontal || v * size * scale < 8 * vertical) sizes.push(width + 2 * MARGIN);
    if (manyScans) sizes.push(mcus * h * v * BLOCK);
  }
  // Where the number of lines is not known, the most there can be is close.
  if (facts.orientation >= 3) {
    const lines = Math.ceil(facts.height / (8 * vertical)) * (manyScans ? scans : 1);
    const most = manyScans ? MAX_CHECKPOINTS.many : MAX_CHECKPOINTS.single;
    sizes.push(Math.min(most, Math.min(mcus, MAX_IN_LINE) * lines * (manyScans ? vertical : 1)) * CHECKPOINT);
  }
  return { inCores: heldBytesFor(sizes) + PAGE, elsewhere: 0 };
}

/** Samples a block side (frame.ts, scaleFrame). */
function sampleSize(h: number, v: number, horizontal: number, vertical: number, scale: number): number {
  let size = 8 / scale;
  const [columns, rows] = [horizontal * size, vertical * size];
  while (size < 8 && columns % (h * size * 2) === 0 && rows % (v * size * 2) === 0) size *= 2;
  return size;
}

/** The largest factor that leaves at least `minWidth` columns; full size where nothing is said. */
export function scaleFor(width: number, minWidth: number | undefined): 1 | 2 | 4 | 8 {
  if (minWidth === undefined) return 1;
  return ([8, 4, 2] as const).find((scale) => Math.ceil(width / scale) >= minWidth) ?? 1;
}
