/**
 * Reads the vector of intra block copy: its prediction from the neighbours' vectors (section 7.10.2, of which
 * a key frame needs little) and its difference (sections 5.11.26, 5.11.31 and 5.11.32).
 */
import { MV_BIT, MV_CLASS, MV_CLASS0_BIT, MV_JOINT, MV_SIGN } from '../cdf/offsets';
import * as Av1Fault from '../faults';
import { heightLog2, widthLog2 } from '../sizes';
import { Decoder, Tile, VECTOR_BYTES, VECTOR_ROWS_ABOVE } from '../state';
import { readFlagSymbol, readSymbol4, readSymbol16 } from '../symbol';

/** Offsets in an entry of `Decoder.vectors`: row and column as i16 in samples. */
const ROW: usize = 0;
const COLUMN: usize = 2;
const SIZE: usize = 4;
/** 0 for blocks not decoded yet, 1 for decoded ones, 3 for those made by intra block copy. */
const STATE: usize = 5;
const COPIED: u8 = 3;

/** Entry of `Decoder.stack`: row, column and weight, i32 each. */
const STACK_ENTRY: usize = 12;
/** MAX_REF_MV_STACK_SIZE, REF_CAT_LEVEL, MV_BORDER in samples, INTRABC_DELAY_PIXELS, INTRABC_DELAY_SB64. */
const MAX_STACK: i32 = 8;
const NEAR_BONUS = 640;
const BORDER = 16;
const DELAY_SAMPLES = 256;
const DELAY_SUPERBLOCKS = 4;
/** Limit of a vector's components, in samples (section 6.10.25). */
const MAX_VECTOR = 2048;

let stacked: i32 = 0;
const _matched: bool = false;

/** Reads the current block's vector. Sets a fault if nothing may be copied from where it points. */
export function readBlockVector(d: Decoder, t: Tile): void {
  findVectors(d, t);
  let row = load<i32>(d.stack);
  let column = load<i32>(d.stack, 4);
  if (row === 0 && column === 0) {
    row = load<i32>(d.stack + STACK_ENTRY);
    column = load<i32>(d.stack + STACK_ENTRY, 4);
  }
  if (row === 0 && column === 0) {
    if (d.miRow - d.superblockMi < t.miRowStart) column = -((d.superblockMi << 2) + DELAY_SAMPLES);
    else row = -(d.superblockMi << 2);
  }
  const joint = readSymbol4(t, t.cdf + MV_JOINT, 3);
  if (joint >= 2) row += readDifference(t, 0);
  if (joint & 1) column += readDifference(t, 1);
  d.mvRow = row;
  d.mvCol = column;
  if (!isValid(d, t)) {
    d.fault = Av1Fault.BAD_BLOCK_COPY;
    d.mvRow = 0;
    d.mvCol = 0;
  }
}

/** read_mv_component, in whole samples. @param component 0 for rows, 1 for columns */
function readDifference(t: Tile, component: usize): i32 {
  const negative = readFlagSymbol(t, t.cdf + MV_SIGN + (component << 2));
  const length = readSymbol16(t, t.cdf + MV_CLASS + (component << 5), 10);
  let size = 0;
  if (length === 0) {
    size = readFlagSymbol(t, t.cdf + MV_CLASS0_BIT + (component << 2)) + 1;
  } else {
    for (let i = 0; i < length; i++) {
      size |= readFlagSymbol(t, t.cdf + MV_BIT + ((component * 10 + <usize>i) << 2)) << i;
    }
    size += (1 << length) + 1;
  }
  return negative ? -size : size;
}

/** Address of a block's entry, in this superblock row or in the rows just above it. */
// @inline
function vectorAt(d: Decoder, row: i32, column: i32): usize {
  const inRow = row - d.superblockRow * d.superblockMi + VECTOR_ROWS_ABOVE;
  return d.vectors + <usize>(inRow * d.mapStride + column) * VECTOR_BYTES;
}

/** find_mv_stack: fills the stack. Its first two entries are zero vectors if there are no candidates. */
function findVectors(d: Decoder, t: Tile): void {
  stacked = 0;
  memory.fill(d.stack, 0, <usize>MAX_STACK * STACK_ENTRY);
  scanRow(d, t, -1);
  scanColumn(d, t, -1);
  if (max(d.bw4, d.bh4) <= 16) scanPoint(d, t, -1, d.bw4);
  const near = stacked;
  for (let i: usize = 0; i < <usize>near; i++) {
    const at = d.stack + i * STACK_ENTRY;
    store<i32>(at, load<i32>(at, 8) + NEAR_BONUS, 8);
  }
  scanPoint(d, t, -1, -1);
  scanRow(d, t, -3);
  scanColumn(d, t, -3);
  if (d.bh4 > 1) scanRow(d, t, -5);
  if (d.bw4 > 1) scanColumn(d, t, -5);
  sortStack(d, 0, near);
  sortStack(d, near, stacked);
  for (let i: usize = 0; i < <usize>min(stacked, 2); i++) {
    const at = d.stack + i * STACK_ENTRY;
    const width = d.bw4 << 2;
    const height = d.bh4 << 2;
    const toTop = -(d.miRow << 2) - BORDER - height;
    const toBottom = ((d.miRows - d.bh4 - d.miRow) << 2) + BORDER + height;
    store<i32>(at, max(toTop, min(toBottom, load<i32>(at))));
    const toLeft = -(d.miCol << 2) - BORDER - width;
    const toRight = ((d.miCols - d.bw4 - d.miCol) << 2) + BORDER + width;
    store<i32>(at, max(toLeft, min(toRight, load<i32>(at, 4))), 4);
  }
}

// @inline
function isInside(t: Tile, row: i32, column: i32): bool {
  return column >= t.miColStart && column < t.miColEnd && row >= t.miRowStart && row < t.miRowEnd;
}

function scanRow(d: Decoder, t: Tile, delta: i32): void {
  const far = delta < -1;
  const row = d.miRow + delta + (far ? d.miRow & 1 : 0);
  const first = d.miCol + (far ? 1 - (d.miCol & 1) : 0);
  const end = min(min(d.bw4, d.miCols - d.miCol), 16);
  for (let i = 0; i < end; ) {
    if (!isInside(t, row, first + i)) break;
    const at = vectorAt(d, row, first + i);
    let length = min(d.bw4, 1 << widthLog2(<i32>load<u8>(at, SIZE)));
    if (far) length = max(2, length);
    if (d.bw4 >= 16) length = max(4, length);
    addVector(d, at, length * 2);
    i += length;
  }
}

function scanColumn(d: Decoder, t: Tile, delta: i32): void {
  const far = delta < -1;
  const column = d.miCol + delta + (far ? d.miCol & 1 : 0);
  const first = d.miRow + (far ? 1 - (d.miRow & 1) : 0);
  const end = min(min(d.bh4, d.miRows - d.miRow), 16);
  for (let i = 0; i < end; ) {
    if (!isInside(t, first + i, column)) break;
    const at = vectorAt(d, first + i, column);
    let length = min(d.bh4, 1 << heightLog2(<i32>load<u8>(at, SIZE)));
    if (far) length = max(2, length);
    if (d.bh4 >= 16) length = max(4, length);
    addVector(d, at, length * 2);
    i += length;
  }
}

function scanPoint(d: Decoder, t: Tile, deltaRow: i32, deltaColumn: i32): void {
  const row = d.miRow + deltaRow;
  const column = d.miCol + deltaColumn;
  if (isInside(t, row, column)) addVector(d, vectorAt(d, row, column), 4);
}

/** Adds a candidate to the stack, or its weight to the entry with the same vector. */
function addVector(d: Decoder, from: usize, weight: i32): void {
  if (load<u8>(from, STATE) !== COPIED) return;
  const row = <i32>load<i16>(from, ROW);
  const column = <i32>load<i16>(from, COLUMN);
  let at = d.stack;
  for (let i = 0; i < stacked; i++, at += STACK_ENTRY) {
    if (load<i32>(at) === row && load<i32>(at, 4) === column) {
      store<i32>(at, load<i32>(at, 8) + weight, 8);
      return;
    }
  }
  if (stacked === MAX_STACK) return;
  stacked++;
  store<i32>(at, row);
  store<i32>(at, column, 4);
  store<i32>(at, weight, 8);
}

/** Sorts a part of the stack by weight; equal weights keep their order. */
function sortStack(d: Decoder, start: i32, end: i32): void {
  for (let i = start + 1; i < end; i++) {
    let at = d.stack + <usize>i * STACK_ENTRY;
    for (let j = i; j > start; j--, at -= STACK_ENTRY) {
      const before = at - STACK_ENTRY;
      if (load<i32>(before, 8) >= load<i32>(at, 8)) break;
      for (let k: usize = 0; k < STACK_ENTRY; k += 4) {
        const word = load<i32>(before + k);
        store<i32>(before + k, load<i32>(at + k));
        store<i32>(at + k, word);
      }
    }
  }
}

/** is_mv_valid (section 6.10.25): whether the source lies in the tile, and far enough before this block. */
function isValid(d: Decoder, t: Tile): bool {
  if (abs(d.mvRow) >= MAX_VECTOR || abs(d.mvCol) >= MAX_VECTOR) return false;
  const width = d.bw4 << 2;
  const height = d.bh4 << 2;
  let top = (d.miRow << 2) + d.mvRow;
  let left = (d.miCol << 2) + d.mvCol;
  const bottom = top + height;
  const right = left + width;
  if (d.hasChroma) {
    if (width < 8 && d.subX) left -= 4;
    if (height < 8 && d.subY) top -= 4;
  }
  if (top < t.miRowStart << 2 || left < t.miColStart << 2) return false;
  if (bottom > t.miRowEnd << 2 || right > t.miColEnd << 2) return false;
  const side = d.use128x128 ? 7 : 6;
  const activeRow = (d.miRow << 2) >> side;
  const activeColumn = d.miCol >> 4;
  const sourceRow = (bottom - 1) >> side;
  const sourceColumn = (right - 1) >> 6;
  const perRow = ((t.miColEnd - t.miColStart - 1) >> 4) + 1;
  const active = activeRow * perRow + activeColumn;
  if (sourceRow * perRow + sourceColumn >= active - DELAY_SUPERBLOCKS) return false;
  const gradient = 1 + DELAY_SUPERBLOCKS + <i32>d.use128x128;
  if (sourceRow > activeRow) return false;
  return sourceColumn < activeColumn - DELAY_SUPERBLOCKS + gradient * (activeRow - sourceRow);
}

/** Writes the current block's entry, for later blocks. */
export function keepVector(d: Decoder): void {
  const state = <u64>(d.isInter ? COPIED : 1);
  const vector = d.isInter ? <u64>(<u16>d.mvRow) | ((<u64>(<u16>d.mvCol)) << 16) : 0;
  const entry = vector | ((<u64>d.miSize) << 32) | (state << 40);
  let at = vectorAt(d, d.miRow, d.miCol);
  for (let i = 0; i < d.bh4; i++, at += <usize>d.mapStride * VECTOR_BYTES) {
    for (let j: usize = 0; j < <usize>d.bw4; j++) store<u64>(at + (j << 3), entry);
  }
}

/** Begins a superblock row: keeps the last rows of the one before, and marks this one as not decoded. */
export function startVectorRow(d: Decoder): void {
  const row = <usize>d.mapStride * VECTOR_BYTES;
  const kept = row * VECTOR_ROWS_ABOVE;
  memory.copy(d.vectors, d.vectors + row * <usize>d.superblockMi, kept);
  memory.fill(d.vectors + kept, 0, row * <usize>d.superblockMi);
}
