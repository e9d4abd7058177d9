/**
 * Huffman decoding of progressive scans, one block at a time (T.81 G.1.2 and G.2). Each block has a mask of
 * its non-zero AC coefficients, bit k for place k in zigzag order: refinements go from one to the next
 * without looking at the zeros between.
 */
import { replenish } from './bits';
import { extend, LOOKUP_SHIFT, longCode } from './huffman';
import { badCode } from './sequential';
import { BitReader, Scan } from './state';
import { ZIGZAG } from './zigzag';

/** DC, first scan: the difference, scaled by the point transform (G.1.2.1). */
export function decodeDcFirst(
  reader: BitReader,
  block: usize,
  table: usize,
  prediction: usize,
  low: i32,
): bool {
  if (reader.pos < reader.limit && !replenish(reader)) return false;
  let acc = reader.acc;
  let bits = reader.bits;
  if (bits < 32) {
    reader.pos -= 4;
    acc |= (<u64>load<u32>(reader.pos)) << (<u64>(32 - bits));
    bits += 32;
  }
  let entry = load<u32>(table + <usize>((acc >> LOOKUP_SHIFT) << 2));
  let difference: i32 = 0;
  if (entry & 63) {
    acc <<= <u64>entry;
    bits -= entry & 63;
    difference = <i32>entry >> 16;
  } else {
    if (!(entry >> 20)) entry = longCode(table, <i32>(acc >> 48));
    if (!entry) return badCode(reader);
    const length = entry >> 20;
    const size = (entry >> 16) & 15;
    acc <<= <u64>length;
    if (size) {
      difference = extend(<i32>(acc >> <u64>(64 - size)), size);
      acc <<= <u64>size;
    }
    bits -= length + size;
  }
  const value = load<i32>(prediction) + difference;
  store<i32>(prediction, value);
  store<i16>(block, <i16>(value << low));
  reader.acc = acc;
  reader.bits = bits;
  return true;
}

/** DC, refinement: one more bit. */
export function decodeDcRefinement(reader: BitReader, block: usize, low: i32): bool {
  if (reader.bits === 0) {
    if (reader.pos < reader.limit && !replenish(reader)) return false;
    reader.pos -= 4;
    reader.acc = (<u64>load<u32>(reader.pos)) << 32;
    reader.bits = 32;
  }
  const bit = <i32>(reader.acc >> 63);
  store<i16>(block, load<i16>(block) | <i16>(bit << low));
  reader.acc <<= 1;
  reader.bits--;
  return true;
}

/** AC, first scan of a band (G.1.2.2). */
export function decodeAcFirst(scan: Scan, block: usize, maskAt: usize): bool {
  if (scan.eobRun > 0) {
    scan.eobRun--;
    return true;
  }
  const reader = scan.reader;
  if (reader.pos < reader.limit && !replenish(reader)) return false;
  const table = scan.ac0;
  const low = scan.low;
  const end = scan.spectralEnd;
  let pos = reader.pos;
  let acc = reader.acc;
  let bits = reader.bits;
  let mask = load<u64>(maskAt);
  let k = scan.spectralStart;
  while (k <= end) {
    if (bits < 32) {
      pos -= 4;
      acc |= (<u64>load<u32>(pos)) << (<u64>(32 - bits));
      bits += 32;
    }
    let entry = load<u32>(table + <usize>((acc >> LOOKUP_SHIFT) << 2));
    let value: i32 = 0;
    if (entry & 63) {
      acc <<= <u64>entry;
      bits -= entry & 63;
      value = <i32>entry >> 16;
      k += (entry >> 8) & 255;
    } else {
      if (!(entry >> 20)) entry = longCode(table, <i32>(acc >> 48));
      if (!entry) return badCode(reader);
      const length = entry >> 20;
      const size = (entry >> 16) & 15;
      const run = (entry >> 8) & 255;
      acc <<= <u64>length;
      bits -= length;
      if (size) {
        value = extend(<i32>(acc >> <u64>(64 - size)), size);
        acc <<= <u64>size;
        bits -= size;
      } else if (run < 15) {
        let eobRun: i32 = (1 << run) - 1;
        if (run) {
          eobRun += <i32>(acc >> <u64>(64 - run));
          acc <<= <u64>run;
          bits -= run;
        }
        scan.eobRun = eobRun;
        break;
      }
      k += run;
    }
    if (k > end) return badCode(reader);
    if (value) {
      store<i16>(block + load<u8>(ZIGZAG + k), <i16>(value << low));
      mask |= (<u64>1) << (<u64>k);
    }
    k++;
  }
  store<u64>(maskAt, mask);
  reader.pos = pos;
  reader.acc = acc;
  reader.bits = bits;
  return true;
}

/** Adds one more bit to a coefficient known to be non-zero, away from zero (G.1.2.3). */
// @inline
function correct(at: usize, plus: i32): void {
  const value = <i32>load<i16>(at);
  store<i16>(at, <i16>(value < 0 ? value - plus : value + plus));
}

/** AC, refinement of a band (G.1.2.3). */
export function decodeAcRefinement(scan: Scan, block: usize, maskAt: usize): bool {
  let mask = load<u64>(maskAt);
  let eobRun = scan.eobRun;
  const end = scan.spectralEnd;
  let k = scan.spectralStart;
  // Non-zero coefficients of the band from k on: each gets a correction bit. New ones do not.
  let pending = ((mask >> <u64>k) << (<u64>k)) & (<u64>-1 >> <u64>(63 - end));
  if (eobRun > 0 && !pending) {
    scan.eobRun = eobRun - 1;
    return true;
  }
  const reader = scan.reader;
  if (reader.pos < reader.limit && !replenish(reader)) return false;
  const table = scan.ac0;
  const plus: i32 = 1 << scan.low;
  let pos = reader.pos;
  let acc = reader.acc;
  let bits = reader.bits;
  while (eobRun === 0 && k <= end) {
    if (bits < 32) {
      pos -= 4;
      acc |= (<u64>load<u32>(pos)) << (<u64>(32 - bits));
      bits += 32;
    }
    let entry = load<u32>(table + <usize>((acc >> LOOKUP_SHIFT) << 2));
    let length = entry & 63;
    if (!length) {
      entry = longCode(table, <i32>(acc >> 48));
      if (!entry) return badCode(reader);
      length = entry >> 20;
    }
    acc <<= <u64>length;
    bits -= length;
    let run = <i32>((entry >> 8) & 255);
    const size = (entry >> 16) & 15;
    let value: i32 = 0;
    if (size) {
      if (size !== 1) return badCode(reader);
      value = <i64>acc < 0 ? plus : -plus;
      acc <<= 1;
      bits--;
    } else if (run < 15) {
      eobRun = 1 << run;
      if (run) {
        eobRun += <i32>(acc >> <u64>(64 - run));
        acc <<= <u64>run;
        bits -= run;
      }
      break;
    }
    // The new place is the zero that follows `run` other zeros. Every coefficient on the way is corrected.
    while (true) {
      const next: i32 = pending ? <i32>ctz(pending) : end + 1;
      const zeros = next - k;
      if (run < zeros) {
        k += run;
        break;
      }
      if (next > end) {
        // A run of zeros may end with the band, but not a new coefficient.
        if (value || run > zeros) return badCode(reader);
        k = next;
        break;
      }
      run -= zeros;
      if (bits === 0) {
        pos -= 4;
        acc = (<u64>load<u32>(pos)) << 32;
        bits = 32;
      }
      if (<i64>acc < 0) correct(block + load<u8>(ZIGZAG + next), plus);
      acc <<= 1;
      bits--;
      pending &= pending - 1;
      k = next + 1;
    }
    if (value) {
      store<i16>(block + load<u8>(ZIGZAG + k), <i16>value);
      mask |= (<u64>1) << (<u64>k);
    }
    k++;
  }
  if (eobRun > 0) {
    while (pending) {
      if (bits === 0) {
        pos -= 4;
        acc = (<u64>load<u32>(pos)) << 32;
        bits = 32;
      }
      if (<i64>acc < 0) correct(block + load<u8>(ZIGZAG + <usize>ctz(pending)), plus);
      acc <<= 1;
      bits--;
      pending &= pending - 1;
    }
    eobRun--;
  }
  scan.eobRun = eobRun;
  store<u64>(maskAt, mask);
  reader.pos = pos;
  reader.acc = acc;
  reader.bits = bits;
  return true;
}
