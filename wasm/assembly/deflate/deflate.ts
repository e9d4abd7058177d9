/**
 * Deflate streams (RFC 1950 and 1951). The host feeds bytes, runs until they are used up, and takes the
 * output of each run.
 */
import { adler32 } from '../inflate/adler';
import { alloc } from '../memory';
import { put, writeBlock } from './block';
import { parseCheapest } from './cheapest';
import { RUN_HAS_OUTPUT, RUN_NEEDS_INPUT, TUNING_RESIDUALS, TUNING_RUNS } from './constants';
import { parseRuns } from './parse';
import { guessCounts } from './prices';
import { parseResiduals } from './residuals';
import { nextChunk, splitBlock } from './split';
import { Deflate, HISTORY, INPUT_BYTES, LOOKAHEAD, place, SLACK, STATE_BYTES } from './state';

/** Memory that one stream takes. */
export function deflateBytes(): usize {
  return STATE_BYTES;
}

/** @returns its address, or 0 when there is no memory */
export function deflateOpen(): usize {
  const at = alloc(STATE_BYTES);
  if (at !== 0) begin(at, 1, 0);
  return at;
}

/** Begins a new stream at the address of an old one. @param pixelBytes as for `place`, as is rowBytes */
export function deflateRestart(at: usize, pixelBytes: u32, rowBytes: u32): void {
  begin(at, pixelBytes, rowBytes);
}

function begin(at: usize, pixelBytes: u32, rowBytes: u32): void {
  place(at, pixelBytes, rowBytes);
  guessCounts(changetype<Deflate>(at));
  nextChunk(changetype<Deflate>(at), false);
}

/** The most bytes that one `deflateFeed` takes. */
export function deflateInputBytes(): usize {
  return INPUT_BYTES;
}

/** The address at which the host writes the next input. Only call it when the last run needed input. */
export function deflateInput(at: usize): usize {
  const s = changetype<Deflate>(at);
  const used = s.end - s.position;
  const kept = s.window + <usize>(HISTORY + used);
  const end = s.origin + <usize>s.end;
  // Moves the history that matches may still reach to the window's start.
  if (end > kept) {
    const by = end - kept;
    memory.copy(s.window, s.window + by, kept - s.window);
    s.origin -= by;
  }
  return s.origin + <usize>s.end;
}

/**
 * Takes `length` bytes that were written there. Hashes of the last positions read beyond them, so the bytes
 * there are cleared: leftovers of an earlier stream would decide between matches, and equal pictures would
 * give different files.
 */
export function deflateFeed(at: usize, length: u32): void {
  const s = changetype<Deflate>(at);
  s.adler = adler32(s.adler, s.origin + <usize>s.end, length);
  s.end += length;
  memory.fill(s.origin + <usize>s.end, 0, SLACK);
}

/**
 * @param tuning a TUNING of constants.ts; any other number: cheapest
 * @param isEnd no more input will come
 * @returns RUN_NEEDS_INPUT if all input is used up, RUN_HAS_OUTPUT if a block was written
 */
export function deflateRun(at: usize, tuning: u32, isEnd: bool): u32 {
  const s = changetype<Deflate>(at);
  const ahead = s.end - s.position;
  const limit = isEnd ? s.end : ahead > LOOKAHEAD ? s.end - LOOKAHEAD : s.position;
  const isRuns = tuning === TUNING_RUNS;
  do {
    if (isRuns) parseRuns(s, limit);
    else if (tuning === TUNING_RESIDUALS) parseResiduals(s, limit);
    else parseCheapest(s, limit);
    if (s.symbols < s.chunkEnd) return RUN_NEEDS_INPUT;
  } while (!splitBlock(s, isRuns));
  return RUN_HAS_OUTPUT;
}

/** Writes the last block and the checksum, after a run with `isEnd` has used up all input. */
export function deflateFinish(at: usize): void {
  const s = changetype<Deflate>(at);
  writeBlock(s, true);
  if (s.count > 0) put(s, 0, 8 - s.count);
  // RFC 1950 section 2.2: the highest byte first.
  store<u32>(s.written, bswap(s.adler));
  s.written += 4;
}

export function deflateOutput(at: usize): usize {
  return changetype<Deflate>(at).out;
}

export function deflateReady(at: usize): usize {
  const s = changetype<Deflate>(at);
  return s.written - s.out;
}

/** Tells that the host has taken all output. */
export function deflateTake(at: usize): void {
  const s = changetype<Deflate>(at);
  s.written = s.out;
}
