/**
 * Values that change per superblock: CDEF index, quantiser, loop filter (sections 5.11.12, 5.11.13, 5.11.56).
 */
import { DELTA_LF, DELTA_Q } from '../cdf/offsets';
import { Decoder, Tile } from '../state';
import { readBool, readLiteral, readSymbol4 } from '../symbol';

/** DELTA_Q_SMALL and DELTA_LF_SMALL: for this value, more bits follow. */
const SMALL = 3;
const MAX_LOOP_FILTER = 63;
/** 4 × 4 blocks along 64 samples. */
const CDEF_MI = 16;

/** read_cdef: within each 64 × 64 samples, the first block that is not skipped has the index. */
export function readCdef(d: Decoder, t: Tile): void {
  if (d.skip || !d.enableCdef) return;
  const row = (d.miRow & (d.superblockMi - 1)) >> 4;
  const at = d.cdefIndex + <usize>(row * d.cdefStride + (d.miCol >> 4));
  if (load<i8>(at) !== -1) return;
  const index = readLiteral(t, d.cdefBits);
  for (let y = 0; y < d.bh4; y += CDEF_MI) {
    for (let x = 0; x < d.bw4; x += CDEF_MI) {
      store<i8>(at + <usize>((y >> 4) * d.cdefStride + (x >> 4)), <i8>index);
    }
  }
}

/** clear_cdef. @param column of the superblock */
export function clearCdef(d: Decoder, column: i32): void {
  const at = d.cdefIndex + <usize>(column >> 4);
  store<i8>(at, -1);
  if (!d.use128x128) return;
  store<i8>(at, -1, 1);
  store<i16>(at + <usize>d.cdefStride, -1);
}

/** read_delta_qindex, for a superblock's first block. */
export function readDeltaQIndex(d: Decoder, t: Tile): void {
  const delta = readDelta(t, t.cdf + DELTA_Q);
  if (delta) t.currentQIndex = max(1, min(255, t.currentQIndex + (delta << d.deltaQRes)));
}

/** read_delta_lf, for a superblock's first block. */
export function readDeltaLf(d: Decoder, t: Tile): void {
  const count = d.deltaLfMulti ? (d.planeCount > 1 ? 4 : 2) : 1;
  for (let i: usize = 0; i < <usize>count; i++) {
    const cdf = t.cdf + DELTA_LF + ((d.deltaLfMulti ? i + 1 : 0) << 3);
    const delta = readDelta(t, cdf);
    if (delta === 0) continue;
    const at = t.deltaLf + (i << 2);
    const level = load<i32>(at) + (delta << d.deltaLfRes);
    store<i32>(at, max(-MAX_LOOP_FILTER, min(MAX_LOOP_FILTER, level)));
  }
}

function readDelta(t: Tile, cdf: usize): i32 {
  let delta = readSymbol4(t, cdf, 3);
  if (delta === SMALL) {
    const bits = readLiteral(t, 3) + 1;
    delta = readLiteral(t, bits) + (1 << bits) + 1;
  }
  if (delta && readBool(t)) delta = -delta;
  return delta;
}
