/**
 * The alpha encoder's exports: begin, push all rows, plan; push all rows again, finish. The first reading
 * tries thirteen ways of writing side by side and counts their symbols. The second writes the shortest: an
 * ALPH payload with a VP8L stream whose green is alpha. Output goes to the host in pieces.
 *
 * All memory is reserved by begin. Host side: src/core/webp/alpha_encode.ts.
 */
import { beginLayout, endCounting, isLaidOut, reserve } from '../../../memory';
import { distanceOf } from '../common/reference';
import { finishBits, OUTPUT_BYTES, OUTPUT_SLACK } from './bits';
import { putHeader } from './header';
import { takeRow } from './intake';
import { MAX_LEVELS, NONE } from './levels';
import { tokenBits } from './prices';
import {
  AlphaEncoder,
  DISTANCES,
  GREENS,
  LEVELLED,
  Levels,
  levelsOf,
  PACKINGS,
  SLACK,
  Source,
  Trial,
  trialAt,
  WAYS,
} from './state';
import { bufferBytes, finishTokens, startTokens } from './tokens';

/** Symbols of history: with one pixel per symbol; and with several, unfiltered and filtered. */
const HISTORY: u32 = 1 << 16;
const PACKED_HISTORY: u32 = 1 << 14;
const PACKED_FILTERED_HISTORY: u32 = 1 << 13;
const LEAST_HISTORY: u32 = 1 << 10;
/** Places of history per hash. */
const SHARED_HASHES: u32 = 4;
/** Log2 of a block's edge: at least 16 pixels, and at most. */
const BLOCK_BITS: u32 = 4;
const MAX_BLOCKS: i32 = 1 << 16;
/** Once each way has made this many tokens, only the shortest is kept: the others would only take time. */
const DECISION: u32 = 1 << 18;

const COUNTING: usize = memory.data(
  offsetof<AlphaEncoder>() + offsetof<Trial>() * 13 + offsetof<Levels>() * 3,
  16,
);

function layOut(encoder: AlphaEncoder, width: i32, height: i32): void {
  encoder.width = width;
  encoder.height = height;
  encoder.blockBits = BLOCK_BITS;
  while (blocksOf(width, encoder.blockBits) * blocksOf(height, encoder.blockBits) > MAX_BLOCKS) {
    encoder.blockBits++;
  }
  encoder.blocksWide = blocksOf(width, encoder.blockBits);
  encoder.blocksHigh = blocksOf(height, encoder.blockBits);
  encoder.stride = ((<usize>width + 15) & ~15) + SLACK;
  // One row before the first, since kernels read one byte before a row.
  encoder.rows = reserve((((<usize>1) << encoder.blockBits) + 2) * encoder.stride) + encoder.stride;
  encoder.symbols = reserve(encoder.stride);
  encoder.packed = reserve(encoder.stride);
  encoder.modes = reserve(<usize>encoder.blocksWide * encoder.blocksHigh + SLACK);
  for (let source = 0; source < LEVELLED; source++) {
    levelsOf(encoder, source).values = reserve(MAX_LEVELS);
    levelsOf(encoder, source).numbers = reserve(256);
  }
  encoder.nearby = reserve(128);
  encoder.codes = reserve((<usize>(GREENS + DISTANCES)) << 2);
  encoder.output = reserve(OUTPUT_BYTES + OUTPUT_SLACK);
  for (let way = 0; way < WAYS; way++) layOutTrial(encoder, trialAt(encoder, way), way);
}

function layOutTrial(encoder: AlphaEncoder, trial: Trial, way: i32): void {
  trial.source = way / PACKINGS;
  trial.packing = way % PACKINGS;
  trial.width = blocksOf(encoder.width, trial.packing);
  trial.total = <u32>(trial.width * encoder.height);
  const filtered = trial.source !== Source.Plain;
  const most = trial.packing === 0 ? HISTORY : filtered ? PACKED_FILTERED_HISTORY : PACKED_HISTORY;
  let history = LEAST_HISTORY;
  while (history < most && history < trial.total) history <<= 1;
  trial.history = history;
  trial.buffer = reserve(bufferBytes(history));
  trial.bufferEnd = trial.buffer + bufferBytes(history) - SLACK;
  trial.hashShift = 64 - <u64>(31 - clz(history / SHARED_HASHES));
  trial.heads = reserve(headsBytes(history));
  trial.before = reserve((<usize>history) << 1);
  trial.counts = reserve((<usize>(GREENS + DISTANCES)) << 2);
  trial.prices = reserve(GREENS);
}

/** Bytes of the last place of each hash. */
function headsBytes(history: u32): usize {
  return (<usize>history / SHARED_HASHES) << 1;
}

function blocksOf(pixels: i32, bits: u32): i32 {
  return (pixels + (1 << bits) - 1) >> bits;
}

const STRUCTS_BYTES: usize = offsetof<Trial>() * WAYS + offsetof<Levels>() * LEVELLED;

/** Bytes that an encoder holds. */
export function webpAlphaEncodeBytes(width: i32, height: i32): usize {
  beginLayout(true);
  reserve(offsetof<AlphaEncoder>());
  reserve(STRUCTS_BYTES);
  const encoder = changetype<AlphaEncoder>(COUNTING);
  encoder.trials = COUNTING + offsetof<AlphaEncoder>();
  encoder.levels = encoder.trials + offsetof<Trial>() * WAYS;
  layOut(encoder, width, height);
  return <usize>endCounting();
}

/**
 * Starts a plane.
 * @param width 1 to 16384, as is `height`
 * @returns the encoder, or 0 when there is no memory for it
 */
export function webpAlphaEncodeBegin(width: i32, height: i32): usize {
  beginLayout(false);
  const at = reserve(offsetof<AlphaEncoder>());
  const trials = reserve(STRUCTS_BYTES);
  if (!isLaidOut()) return 0;
  memory.fill(at, 0, offsetof<AlphaEncoder>());
  memory.fill(trials, 0, STRUCTS_BYTES);
  const encoder = changetype<AlphaEncoder>(at);
  encoder.trials = trials;
  encoder.levels = trials + offsetof<Trial>() * WAYS;
  layOut(encoder, width, height);
  if (!isLaidOut()) return 0;
  for (let source = 0; source < LEVELLED; source++) memory.fill(levelsOf(encoder, source).numbers, NONE, 256);
  fillNearby(encoder.nearby);
  for (let way = 0; way < WAYS; way++) {
    trialAt(encoder, way).alive = true;
    startTrial(trialAt(encoder, way));
  }
  return at;
}

/** Fills the table of distance codes, by rows up × 16 + columns left + 7. */
function fillNearby(nearby: usize): void {
  // In an image this wide, no two places coincide.
  const width: i32 = 64;
  memory.fill(nearby, 0, 128);
  for (let code = 1; code <= 120; code++) {
    const distance = distanceOf(code, width) + 7;
    store<u8>(nearby + ((distance / width) << 4) + (distance % width), <u8>code);
  }
}

function startTrial(trial: Trial): void {
  memory.fill(trial.heads, 0, headsBytes(trial.history));
  memory.fill(trial.before, 0, (<usize>trial.history) << 1);
  startTokens(trial);
}

/** Takes `rows` rows of RGBA at `at`. */
export function webpAlphaEncodePush(encoder: AlphaEncoder, at: usize, rows: i32): void {
  for (let i = 0; i < rows; i++) {
    if (!isOpaque(at, encoder.width)) encoder.transparent = true;
    takeAlpha(at, encoder.width, encoder.symbols);
    takeRow(encoder, encoder.symbols);
    at += (<usize>encoder.width) << 2;
    if (!encoder.decided) decideEarly(encoder);
  }
}

/** Whether all alpha so far was 255. */
export function webpAlphaEncodeOpaque(encoder: AlphaEncoder): bool {
  return !encoder.transparent;
}

/** Whether all alpha of a row of RGBA is 255. */
function isOpaque(pixels: usize, width: i32): bool {
  const end = pixels + ((<usize>width) << 2);
  const whole = pixels + ((<usize>(width & ~3)) << 2);
  let all = i32x4.splat(-1);
  for (; pixels < whole; pixels += 16) all = v128.and(all, v128.load(pixels));
  let last: u32 = u32.MAX_VALUE;
  for (; pixels < end; pixels += 4) last &= load<u32>(pixels);
  return last >>> 24 === 255 && i32x4.all_true(i32x4.eq(i32x4.shr_u(all, 24), i32x4.splat(255)));
}

/** Copies the alpha of a row of RGBA. */
function takeAlpha(pixels: usize, width: i32, to: usize): void {
  const end = to + width;
  for (const whole = to + (width & ~15); to < whole; to += 16, pixels += 64) {
    const a = i32x4.shr_u(v128.load(pixels), 24);
    const b = i32x4.shr_u(v128.load(pixels, 16), 24);
    const c = i32x4.shr_u(v128.load(pixels, 32), 24);
    const d = i32x4.shr_u(v128.load(pixels, 48), 24);
    v128.store(to, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a, b), i16x8.narrow_i32x4_u(c, d)));
  }
  for (; to < end; to++, pixels += 4) store<u8>(to, load<u8>(pixels, 3));
}

/** Bits of all tokens that a trial has made. */
function bitsOf(encoder: AlphaEncoder, trial: Trial): u64 {
  encoder.counting = true;
  encoder.bitCount = 0;
  putHeader(encoder, trial, encoder.y >> encoder.blockBits);
  return encoder.bitCount + tokenBits(trial);
}

/**
 * Gives up all ways but the shortest, once each has made enough tokens and all have got about equally far.
 */
function decideEarly(encoder: AlphaEncoder): void {
  if ((encoder.y & ((1 << encoder.blockBits) - 1)) !== 0) return;
  for (let way = 0; way < WAYS; way++) {
    const trial = trialAt(encoder, way);
    if (trial.alive && trial.tokens < DECISION) return;
  }
  decide(encoder);
}

function decide(encoder: AlphaEncoder): void {
  let best = -1;
  let least: f64 = Infinity;
  for (let way = 0; way < WAYS; way++) {
    const trial = trialAt(encoder, way);
    if (!trial.alive) continue;
    // Some trials have more symbols waiting for lookahead than others.
    const done = <f64>(trial.base + <u32>(trial.at - trial.buffer)) / <f64>trial.total;
    const bits = <f64>bitsOf(encoder, trial) / done;
    if (bits < least) {
      least = bits;
      best = way;
    }
  }
  for (let way = 0; way < WAYS; way++) if (way !== best) trialAt(encoder, way).alive = false;
  encoder.chosen = changetype<usize>(trialAt(encoder, best));
  encoder.decided = true;
}

/** Ends the first reading. @returns the payload's length in bytes */
export function webpAlphaEncodePlan(encoder: AlphaEncoder): u32 {
  for (let way = 0; way < WAYS; way++) {
    const trial = trialAt(encoder, way);
    if (trial.alive) finishTokens(encoder, trial);
  }
  encoder.y = encoder.blocksHigh << encoder.blockBits;
  if (!encoder.decided) decide(encoder);
  const trial = changetype<Trial>(encoder.chosen);
  encoder.bytes = <u32>((bitsOf(encoder, trial) + 7) >> 3);
  encoder.counting = false;
  encoder.acc = 0;
  encoder.accBits = 0;
  encoder.out = encoder.output;
  putHeader(encoder, trial, encoder.blocksHigh);
  encoder.y = 0;
  encoder.writing = true;
  startTrial(trial);
  return encoder.bytes;
}

/** Ends the second reading: writes what is left. */
export function webpAlphaEncodeFinish(encoder: AlphaEncoder): void {
  finishTokens(encoder, changetype<Trial>(encoder.chosen));
  finishBits(encoder);
}
