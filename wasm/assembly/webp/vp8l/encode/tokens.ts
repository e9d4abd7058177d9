/** Turns symbols into literals and matches (WebP lossless bitstream specification, section 5.2). */

import { LITERALS } from '../common/alphabets';
import { putBits } from './bits';
import { enter, farDistance, farMatch, HASHED, nearDistance, nearMatch } from './match';
import { reprice, startPrices } from './prices';
import { AlphaEncoder, DISTANCES, GREENS, MAX_LENGTH, SLACK, Trial } from './state';

/** The shortest match worth a token. */
const NEAR_LENGTH: u32 = 3;
/** Assumed price of a far match's distance prefix, in bits. */
const FAR_PRICE: u32 = 9;
/** With a near match of this length, no far one is searched for. */
const NEAR_ENOUGH: u32 = 256;
/** For a longer match, only its ends are entered into the hash table. */
const LONG_MATCH: u32 = 512;
/** Symbols that must follow before one becomes a token. */
const LOOKAHEAD: usize = MAX_LENGTH + HASHED;
/** Symbols between two moves of the history. */
const FRESH: usize = 8192;

/** Bytes of a trial's buffer. */
export function bufferBytes(history: u32): usize {
  return <usize>history + FRESH + LOOKAHEAD + SLACK;
}

/** Restarts a trial's symbols. */
export function startTokens(trial: Trial): void {
  trial.base = 0;
  trial.at = trial.buffer;
  trial.filled = trial.buffer;
  trial.tokens = 0;
  trial.extraBits = 0;
  trial.misses = 0;
  memory.fill(trial.counts, 0, (GREENS + DISTANCES) << 2);
  startPrices(trial);
}

/** Takes symbols, and makes tokens of all that have enough lookahead. */
export function takeSymbols(encoder: AlphaEncoder, trial: Trial, from: usize, count: usize): void {
  while (count > 0) {
    if (trial.filled === trial.bufferEnd) moveHistory(trial);
    const piece = min(count, trial.bufferEnd - trial.filled);
    memory.copy(trial.filled, from, piece);
    trial.filled += piece;
    from += piece;
    count -= piece;
    if (trial.filled - trial.buffer > LOOKAHEAD) makeTokens(encoder, trial, trial.filled - LOOKAHEAD);
  }
}

/** Makes tokens of all remaining symbols. */
export function finishTokens(encoder: AlphaEncoder, trial: Trial): void {
  makeTokens(encoder, trial, trial.filled);
}

function moveHistory(trial: Trial): void {
  const done = trial.at - trial.buffer;
  const kept = done > trial.history ? trial.at - trial.history : trial.buffer;
  const moved = kept - trial.buffer;
  memory.copy(trial.buffer, kept, trial.filled - kept);
  trial.base += <u32>moved;
  trial.at -= moved;
  trial.filled -= moved;
}

function makeTokens(encoder: AlphaEncoder, trial: Trial, until: usize): void {
  const filled = trial.filled;
  let at = trial.at;
  while (at < until) {
    const most = min(MAX_LENGTH, <u32>(filled - at));
    let length = nearMatch(trial, at, most);
    let distance = nearDistance;
    if (length < NEAR_ENOUGH && most >= HASHED) {
      const far = farMatch(trial, at, most);
      if (far > length && nearPasses(trial, at, far, farPrice(encoder, trial, far))) {
        length = far;
        distance = farDistance;
        trial.misses = 0;
      } else {
        trial.misses++;
      }
    }
    if (length < NEAR_LENGTH) {
      length = 1;
      putGreen(encoder, trial, <u32>load<u8>(at));
    } else {
      putMatch(encoder, trial, length, distance);
    }
    reprice(trial);
    enterAll(trial, at, length, filled);
    at += length;
  }
  trial.at = at;
}

function enterAll(trial: Trial, at: usize, length: u32, filled: usize): void {
  if (filled - at < HASHED) return;
  const end = min(at + length, filled - HASHED + 1);
  if (length < LONG_MATCH) {
    for (; at < end; at++) enter(trial, at);
    return;
  }
  if (at < end) enter(trial, at);
  if (at + length <= end) enter(trial, at + length - 1);
}

/** Price of a far match in bits. */
function farPrice(encoder: AlphaEncoder, trial: Trial, length: u32): u32 {
  const prefix = prefixOf(length);
  const code = codeOf(encoder, trial.width, farDistance);
  return (
    <u32>load<u8>(trial.prices + <u32>LITERALS + prefix) +
    extraOf(prefix) +
    FAR_PRICE +
    extraOf(prefixOf(code))
  );
}

/** Whether coding these symbols by literals and near matches takes more than `price` bits. */
function nearPasses(trial: Trial, at: usize, count: u32, price: u32): bool {
  const end = at + count;
  let bits: u32 = 0;
  while (at < end) {
    const most = <u32>(end - at);
    const length = nearMatch(trial, at, most);
    if (length >= NEAR_LENGTH) {
      const prefix = prefixOf(length);
      // A near distance takes about two bits.
      bits += <u32>load<u8>(trial.prices + <u32>LITERALS + prefix) + extraOf(prefix) + 2;
      at += length;
    } else {
      bits += load<u8>(trial.prices + <u32>load<u8>(at));
      at++;
    }
    if (bits > price) return true;
  }
  return false;
}

/** The prefix of a length or a distance code (section 5.2.2). */
// @inline
export function prefixOf(value: u32): u32 {
  if (value <= 4) return value - 1;
  const extra = 30 - clz(value - 1);
  return 2 * extra + 2 + (((value - 1) >> extra) & 1);
}

/** Number of extra bits after a prefix. */
// @inline
export function extraOf(prefix: u32): u32 {
  return prefix < 4 ? 0 : (prefix - 2) >> 1;
}

/** The distance code of a distance: a short one for places nearby. */
export function codeOf(encoder: AlphaEncoder, width: u32, distance: u32): u32 {
  const up = (distance + 7) / width;
  if (up < 8) {
    const left = <i32>distance - <i32>(up * width) + 7;
    const code = left < 16 ? <u32>load<u8>(encoder.nearby + (up << 4) + left) : 0;
    if (code !== 0) return code;
  }
  return distance + 120;
}

function putGreen(encoder: AlphaEncoder, trial: Trial, green: u32): void {
  const at = trial.counts + ((<usize>green) << 2);
  store<u32>(at, load<u32>(at) + 1);
  trial.tokens++;
  if (encoder.writing) {
    const code = load<u32>(encoder.codes + ((<usize>green) << 2));
    putBits(encoder, code >> 4, code & 15);
  }
}

function putMatch(encoder: AlphaEncoder, trial: Trial, length: u32, distance: u32): void {
  const prefix = prefixOf(length);
  putGreen(encoder, trial, <u32>LITERALS + prefix);
  putExtra(encoder, trial, length, extraOf(prefix));
  const code = codeOf(encoder, trial.width, distance);
  const farther = prefixOf(code);
  const at = (<usize>(GREENS + farther)) << 2;
  store<u32>(trial.counts + at, load<u32>(trial.counts + at) + 1);
  if (encoder.writing) {
    const word = load<u32>(encoder.codes + at);
    putBits(encoder, word >> 4, word & 15);
  }
  putExtra(encoder, trial, code, extraOf(farther));
}

/** Writes the extra bits after a prefix: the lowest bits of the value less one. */
// @inline
function putExtra(encoder: AlphaEncoder, trial: Trial, value: u32, count: u32): void {
  trial.extraBits += count;
  if (encoder.writing) putBits(encoder, (value - 1) & ((1 << count) - 1), count);
}
