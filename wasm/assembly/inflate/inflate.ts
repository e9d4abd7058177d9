import { alloc } from '../memory';
import { adler32 } from './adler';
import { RUN_CORRUPT, RUN_END, RUN_FULL, RUN_NEEDS_INPUT } from './constants';
import { carefulSymbol, fastSymbols, stored } from './content';
import { headerStep, STEP_CORRUPT, STEP_DONE, STEP_NEEDS_INPUT } from './header';
import {
  HISTORY,
  INPUT_BYTES,
  Inflate,
  MOST_CREDIT,
  moveBy,
  PHASE_CHECKSUM,
  PHASE_CORRUPT,
  PHASE_END,
  PHASE_STORED,
  PHASE_SYMBOLS,
  place,
  STATE_BYTES,
  WINDOW_LIMIT,
} from './state';

/**
 * Creates an inflate stream for RFC 1951 data.
 * @param wrapped 1 if RFC 1950 is around it
 * @returns its address, or 0 when there is no memory
 */
export function inflateOpen(wrapped: u32): usize {
  const at = alloc(STATE_BYTES);
  if (at !== 0) place(at, wrapped);
  return at;
}

/** Where the host writes at most `inflateInputBytes()` of the next input, whenever a run asked for it. */
export function inflateInput(at: usize): usize {
  return changetype<Inflate>(at).input;
}

/** Memory that one stream takes. */
export function inflateBytes(): usize {
  return STATE_BYTES;
}

export function inflateInputBytes(): usize {
  return INPUT_BYTES;
}

/** Announces `length` bytes of input. Only call it after RUN_NEEDS_INPUT, when earlier input is used up. */
export function inflateFeed(at: usize, length: usize): void {
  const s = changetype<Inflate>(at);
  s.next = s.input;
  s.inputEnd = s.input + length;
}

/** Address of output that is produced and not yet taken. */
export function inflateOutput(at: usize): usize {
  return changetype<Inflate>(at).taken;
}

/** How much of it there is. */
export function inflateReady(at: usize): usize {
  const s = changetype<Inflate>(at);
  return s.produced - s.taken;
}

/** Marks `length` bytes of the output as taken. */
export function inflateTake(at: usize, length: usize): void {
  changetype<Inflate>(at).taken += length;
}

/** Copies up to `length` bytes of produced output to `to`. @returns how many */
export function inflateCopy(at: usize, to: usize, length: usize): usize {
  const s = changetype<Inflate>(at);
  const count = min(length, s.produced - s.taken);
  memory.copy(to, s.taken, count);
  s.taken += count;
  return count;
}

/**
 * Inflates until the window is full, the input is used up, or the stream has ended or is corrupt. Output made
 * before a fault can be taken like any other.
 * @returns RUN_FULL, RUN_NEEDS_INPUT, RUN_END or RUN_CORRUPT
 */
export function inflateRun(at: usize): i32 {
  const s = changetype<Inflate>(at);
  makeRoom(s);
  while (true) {
    let step = STEP_DONE;
    if (s.phase === PHASE_SYMBOLS) {
      const limit = s.window + WINDOW_LIMIT;
      if (s.produced >= limit) return finish(s, RUN_FULL);
      step = fastSymbols(s);
      if (step === STEP_DONE && s.phase === PHASE_SYMBOLS && s.produced < limit) step = carefulSymbol(s);
    } else if (s.phase === PHASE_STORED) {
      if (s.storedLeft > 0 && s.produced >= s.window + WINDOW_LIMIT) return finish(s, RUN_FULL);
      step = stored(s);
    } else if (s.phase === PHASE_END) {
      return finish(s, RUN_END);
    } else if (s.phase === PHASE_CORRUPT) {
      return finish(s, RUN_CORRUPT);
    } else {
      if (s.phase === PHASE_CHECKSUM) sumUp(s);
      step = headerStep(s);
    }
    if (step === STEP_NEEDS_INPUT) return finish(s, RUN_NEEDS_INPUT);
    if (step === STEP_CORRUPT) s.phase = PHASE_CORRUPT;
  }
}

/**
 * Moves what must be kept (history, and output not yet taken) to the window's start, once the window is
 * nearly full.
 */
function makeRoom(s: Inflate): void {
  if (s.produced < s.window + WINDOW_LIMIT) return;
  const from = min(s.taken, s.produced - HISTORY);
  const moved = from - s.window;
  if (moved === 0) return;
  memory.copy(s.window, from, s.produced - from);
  s.produced -= moved;
  s.taken -= moved;
  s.summed -= moved;
}

function finish(s: Inflate, result: i32): i32 {
  sumUp(s);
  return result;
}

function sumUp(s: Inflate): void {
  if (s.wrapped) s.adler = adler32(s.adler, s.summed, s.produced - s.summed);
  s.credit = min(s.credit + <i32>(s.produced - s.summed), MOST_CREDIT);
  s.summed = s.produced;
}

/**
 * Creates a second stream that continues independently from where this one is.
 * @returns its address, or 0 when there is no memory
 */
export function inflateClone(at: usize): usize {
  const copy = alloc(STATE_BYTES);
  if (copy === 0) return 0;
  memory.copy(copy, at, STATE_BYTES);
  moveBy(changetype<Inflate>(copy), copy - at);
  return copy;
}
