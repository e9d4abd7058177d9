/** Repeated symbols. */
import { Trial } from './state';

/** Symbols that a hash covers: it finds matches farther away than the row above. */
export const HASHED: u32 = 8;
/** The shortest match that is searched for; and the bits of 8 symbols that such a match leaves out. */
export const FAR_LENGTH: u32 = 6;
const NOT_COMPARED: u64 = <u64>(64 - 8 * FAR_LENGTH);
/**
 * Earlier places with the same hash that are tried; fewer after HOPELESS searches in a row without a match.
 */
const TRIES: i32 = 16;
const FEW_TRIES: i32 = 2;
const HOPELESS: u32 = 2048;
/** A match of this length is not improved further. */
const LONG: u32 = 256;

/** How many of `most` symbols at `one` and `other` are alike; reads 15 bytes beyond. */
export function alike(one: usize, other: usize, most: u32): u32 {
  for (let done: u32 = 0; done < most; done += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(one + done), v128.load(other + done)));
    if (same !== 0xffff) return min(most, done + ctz(~same));
  }
  return most;
}

/** How many symbols repeat the one to the left, or the row above; `nearDistance` tells which. */
// @inline
export function nearMatch(trial: Trial, at: usize, most: u32): u32 {
  const place = trial.base + <u32>(at - trial.buffer);
  const left = place > 0 ? alike(at - 1, at, most) : 0;
  const width = <u32>trial.width;
  const above = place >= width && width > 1 ? alike(at - width, at, most) : 0;
  nearDistance = above > left ? width : 1;
  return max(left, above);
}
/** Distance of the last near match. */
export let nearDistance: u32 = 0;

// @inline
function headAt(trial: Trial, at: usize): usize {
  return trial.heads + ((<usize>((load<u64>(at) * 0x9e37_79b9_7f4a_7c15) >> trial.hashShift)) << 1);
}

/** Enters a place into the hash table; its next HASHED symbols must be known. */
// @inline
export function enter(trial: Trial, at: usize): void {
  const place = trial.base + <u32>(at - trial.buffer);
  const head = headAt(trial, at);
  store<u16>(trial.before + ((<usize>(place & (trial.history - 1))) << 1), load<u16>(head));
  store<u16>(head, <u16>place);
}

/**
 * The longest of some matches with anything in the history: its length, 0 where it is below FAR_LENGTH;
 * `farDistance` tells where.
 */
export function farMatch(trial: Trial, at: usize, most: u32): u32 {
  const mask = trial.history - 1;
  const place = trial.base + <u32>(at - trial.buffer);
  const first = load<u64>(at) << NOT_COMPARED;
  let longest: u32 = 0;
  let last: u32 = 0;
  let candidate = <u32>load<u16>(headAt(trial, at));
  for (let tries = trial.misses < HOPELESS ? TRIES : FEW_TRIES; tries > 0; tries--) {
    const distance = (place - candidate) & mask;
    // Older places have been overwritten by newer ones.
    if (distance <= last || distance > place) break;
    last = distance;
    if (load<u64>(at - distance) << NOT_COMPARED === first) {
      const length = alike(at - distance, at, most);
      if (length > longest) {
        longest = length;
        farDistance = distance;
        if (length >= LONG) break;
      }
    }
    candidate = <u32>load<u16>(trial.before + ((<usize>(candidate & mask)) << 1));
  }
  return longest;
}
/** Distance of the last far match. */
export let farDistance: u32 = 0;
