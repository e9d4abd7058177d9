/**
 * Writes prediction modes and segments as bits (RFC 6386 sections 9.3, 11.2 to 11.5), and knows their prices.
 */
import { SUBBLOCK_MODE_PROBABILITIES } from '../common/subblock_mode_probabilities';
import { bitPrice } from './bit_price';
import { putBit } from './bool_writer';
import { BoolWriter } from './state';

/** Each value's path through its tree: node << 1 | bit, eight bytes each, ended by END. */
const END: i32 = 255;
const PATH_BYTES: usize = 8;
/** By Mode: DC, TrueMotion, vertical, horizontal, subblocks. */
const LUMA_PATHS: usize = memory.data<u8>([
  1, 2, 4, 255, 0, 0, 0, 0, 1, 3, 7, 255, 0, 0, 0, 0, 1, 2, 5, 255, 0, 0, 0, 0, 1, 3, 6, 255, 0, 0, 0, 0, 0,
  255, 0, 0, 0, 0, 0, 0,
]);
const LUMA_PROBABILITIES: usize = memory.data<u8>([145, 156, 163, 128]);
const CHROMA_PATHS: usize = memory.data<u8>([
  0, 255, 0, 0, 0, 0, 0, 0, 1, 3, 5, 255, 0, 0, 0, 0, 1, 2, 255, 0, 0, 0, 0, 0, 1, 3, 4, 255, 0, 0, 0, 0,
]);
const CHROMA_PROBABILITIES: usize = memory.data<u8>([142, 114, 183]);
/** By SubblockMode. */
const SUBBLOCK_PATHS: usize = memory.data<u8>([
  0, 255, 0, 0, 0, 0, 0, 0, 1, 2, 255, 0, 0, 0, 0, 0, 1, 3, 4, 255, 0, 0, 0, 0, 1, 3, 5, 6, 8, 255, 0, 0, 1,
  3, 5, 7, 12, 255, 0, 0, 1, 3, 5, 6, 9, 10, 255, 0, 1, 3, 5, 6, 9, 11, 255, 0, 1, 3, 5, 7, 13, 14, 255, 0, 1,
  3, 5, 7, 13, 15, 16, 255, 1, 3, 5, 7, 13, 15, 17, 255,
]);
const SEGMENT_PATHS: usize = memory.data<u8>([
  0, 2, 255, 0, 0, 0, 0, 0, 0, 3, 255, 0, 0, 0, 0, 0, 1, 4, 255, 0, 0, 0, 0, 0, 1, 5, 255, 0, 0, 0, 0, 0,
]);
const SUBBLOCK_NODES: usize = 9;
const SUBBLOCK_MODES: i32 = 10;

/**
 * Prices of subblock modes, u16, by the modes above and to the left; then those of 16 × 16 luma and chroma
 * modes.
 */
const SUBBLOCK_PRICES: usize = memory.data(2000, 16);
const LUMA_PRICES: usize = memory.data(10, 16);
const CHROMA_PRICES: usize = memory.data(8, 16);
let filled: bool = false;

function put(writer: BoolWriter, paths: usize, value: i32, probabilities: usize): void {
  let at = paths + <usize>value * PATH_BYTES;
  for (let step = <i32>load<u8>(at); step !== END; step = load<u8>(++at)) {
    putBit(writer, step & 1, load<u8>(probabilities + <usize>(step >> 1)));
  }
}

function price(paths: usize, value: i32, probabilities: usize): i32 {
  let sum: i32 = 0;
  let at = paths + <usize>value * PATH_BYTES;
  for (let step = <i32>load<u8>(at); step !== END; step = load<u8>(++at)) {
    sum += bitPrice(step & 1, load<u8>(probabilities + <usize>(step >> 1)));
  }
  return sum;
}

export function fillModePrices(): void {
  if (filled) return;
  filled = true;
  for (let mode = 0; mode < 5; mode++) {
    store<u16>(LUMA_PRICES + ((<usize>mode) << 1), price(LUMA_PATHS, mode, LUMA_PROBABILITIES));
    if (mode === 4) break;
    store<u16>(CHROMA_PRICES + ((<usize>mode) << 1), price(CHROMA_PATHS, mode, CHROMA_PROBABILITIES));
  }
  for (let context: usize = 0; context < 100; context++) {
    const probabilities = SUBBLOCK_MODE_PROBABILITIES + context * SUBBLOCK_NODES;
    for (let mode = 0; mode < SUBBLOCK_MODES; mode++) {
      store<u16>(
        SUBBLOCK_PRICES + context * 20 + ((<usize>mode) << 1),
        price(SUBBLOCK_PATHS, mode, probabilities),
      );
    }
  }
}

// @inline
export function lumaModePrice(mode: i32): i32 {
  return load<u16>(LUMA_PRICES + ((<usize>mode) << 1));
}

// @inline
export function chromaModePrice(mode: i32): i32 {
  return load<u16>(CHROMA_PRICES + ((<usize>mode) << 1));
}

/** Ten u16: what each mode costs with these modes above and to the left. */
// @inline
export function subblockModePrices(above: i32, left: i32): usize {
  return SUBBLOCK_PRICES + <usize>((above * SUBBLOCK_MODES + left) * 20);
}

export function putLumaMode(writer: BoolWriter, mode: i32): void {
  put(writer, LUMA_PATHS, mode, LUMA_PROBABILITIES);
}

export function putChromaMode(writer: BoolWriter, mode: i32): void {
  put(writer, CHROMA_PATHS, mode, CHROMA_PROBABILITIES);
}

export function putSubblockMode(writer: BoolWriter, mode: i32, above: i32, left: i32): void {
  const context = <usize>(above * SUBBLOCK_MODES + left);
  put(writer, SUBBLOCK_PATHS, mode, SUBBLOCK_MODE_PROBABILITIES + context * SUBBLOCK_NODES);
}

/** @param probabilities three bytes */
export function putSegment(writer: BoolWriter, segment: i32, probabilities: usize): void {
  put(writer, SEGMENT_PATHS, segment, probabilities);
}
