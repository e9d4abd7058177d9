/**
 * read_lr (section 5.11.57): reads the parameters of those restoration units whose top left corner lies in a
 * superblock.
 */
import { RESTORATION_TYPE, USE_SGRPROJ, USE_WIENER } from '../cdf/offsets';
import { quadAt, Restoration, UNIT_BYTES } from '../frame';
import { Decoder, RESTORATION_BYTES, Tile } from '../state';
import { readBool, readFlagSymbol, readLiteral, readSymbol4, readUniform } from '../symbol';

/** Wiener_Taps_Min, Wiener_Taps_Max, Wiener_Taps_K and Wiener_Taps_Mid */
const TAPS: usize = memory.data<i8>([-5, 10, 1, 3, -23, 8, 2, -7, -17, 46, 3, 15]);
/** Sgrproj_Xqd_Min, Sgrproj_Xqd_Max and Sgrproj_Xqd_Mid */
const PROJECTIONS: usize = memory.data<i8>([-96, 31, -32, -32, 95, 31]);
/** SGRPROJ_PARAMS_BITS, SGRPROJ_PRJ_SUBEXP_K and SGRPROJ_PRJ_BITS */
const SET_BITS = 4;
const PROJECTION_K = 4;
const PROJECTION_BITS = 7;
/** Sgr_Params: sets 10 to 13 have no first radius, the ones after them no second radius. */
const NO_FIRST_RADIUS = 10;
const NO_SECOND_RADIUS = 14;

/** Sets a tile's references to the middle values. */
export function startRestoration(t: Tile): void {
  for (let plane: usize = 0; plane < 3; plane++) {
    const at = t.restoration + plane * RESTORATION_BYTES;
    for (let i: usize = 0; i < 3; i++) {
      const middle = load<i8>(TAPS + (i << 2), 3);
      store<i8>(at + i, middle);
      store<i8>(at + i, middle, 3);
    }
    store<i8>(at, load<i8>(PROJECTIONS, 2), 6);
    store<i8>(at, load<i8>(PROJECTIONS, 5), 7);
  }
}

/** Reads the units of a superblock. @param row of the superblock, in 4 × 4 blocks, as is `column` */
export function readRestorationUnits(d: Decoder, t: Tile, row: i32, column: i32): void {
  for (let plane = 0; plane < d.planeCount; plane++) {
    if (quadAt(d.restorationType, plane) === Restoration.None) continue;
    const subX = plane > 0 ? d.subX : 0;
    const subY = plane > 0 ? d.subY : 0;
    const size = quadAt(d.restorationSize, plane);
    const columns = quadAt(d.unitColumns, plane);
    const height = 4 >> subY;
    const firstRow = (row * height + size - 1) / size;
    const endRow = min(quadAt(d.unitRows, plane), ((row + d.superblockMi) * height + size - 1) / size);
    // Units are counted in the picture after superres: 8 coded columns become superresDenom.
    const scaled = d.superresDenom !== 8;
    const width = (4 >> subX) * (scaled ? d.superresDenom : 1);
    const unit = scaled ? size * 8 : size;
    const firstColumn = (column * width + unit - 1) / unit;
    const endColumn = min(columns, ((column + d.superblockMi) * width + unit - 1) / unit);
    const units = <usize>quadAt(d.restorationUnits, plane);
    for (let y = firstRow; y < endRow; y++) {
      for (let x = firstColumn; x < endColumn; x++) {
        readUnit(d, t, plane, units + <usize>(y * columns + x) * UNIT_BYTES);
      }
    }
  }
}

/** read_lr_unit */
function readUnit(d: Decoder, t: Tile, plane: i32, to: usize): void {
  const frameType = quadAt(d.restorationType, plane);
  let type: i32 = Restoration.None;
  if (frameType === Restoration.Wiener) {
    if (readFlagSymbol(t, t.cdf + USE_WIENER)) type = Restoration.Wiener;
  } else if (frameType === Restoration.SelfGuided) {
    if (readFlagSymbol(t, t.cdf + USE_SGRPROJ)) type = Restoration.SelfGuided;
  } else {
    // restoration_type (section 6.10.15): none, Wiener, self-guided.
    type = readSymbol4(t, t.cdf + RESTORATION_TYPE, 2);
  }
  store<u64>(to, <u64>type);
  const references = t.restoration + <usize>plane * RESTORATION_BYTES;
  if (type === Restoration.Wiener) readWiener(t, references, to, plane);
  else if (type === Restoration.SelfGuided) readSelfGuided(t, references + 6, to);
}

function readWiener(t: Tile, references: usize, to: usize, plane: i32): void {
  for (let pass: usize = 0; pass < 2; pass++) {
    for (let i: usize = plane > 0 ? 1 : 0; i < 3; i++) {
      const taps = TAPS + (i << 2);
      const reference = references + pass * 3 + i;
      const value = readNear(
        t,
        <i32>load<i8>(taps),
        <i32>load<i8>(taps, 1),
        <i32>load<i8>(taps, 2),
        <i32>load<i8>(reference),
      );
      store<i8>(reference, <i8>value);
      store<i8>(to + 1 + pass * 3 + i, <i8>value);
    }
  }
}

function readSelfGuided(t: Tile, references: usize, to: usize): void {
  const set = readLiteral(t, SET_BITS);
  store<u8>(to, <u8>set, 1);
  for (let i: usize = 0; i < 2; i++) {
    const limits = PROJECTIONS + i * 3;
    const least = <i32>load<i8>(limits);
    const most = <i32>load<i8>(limits, 1);
    let value = 0;
    const without = i === 0 ? set >= NO_FIRST_RADIUS && set < NO_SECOND_RADIUS : set >= NO_SECOND_RADIUS;
    if (!without) value = readNear(t, least, most, PROJECTION_K, <i32>load<i8>(references + i));
    else if (i === 1) value = max(least, min(most, (1 << PROJECTION_BITS) - <i32>load<i8>(references)));
    store<i8>(references + i, <i8>value);
    store<i8>(to + 2 + i, <i8>value);
  }
}

/** decode_signed_subexp_with_ref_bool: values near the reference have short codes. */
function readNear(t: Tile, least: i32, most: i32, k: i32, reference: i32): i32 {
  const count = most + 1 - least;
  const near = reference - least;
  const code = readSubexponential(t, count, k);
  if (near << 1 <= count) return recentred(near, code) + least;
  return count - 1 - recentred(count - 1 - near, code) + least;
}

/** decode_subexp_bool */
function readSubexponential(t: Tile, count: i32, k: i32): i32 {
  let base = 0;
  let bits = k;
  // Ranges double in size from the third on; `count` is below 128, so there are few.
  for (let first = true; count > base + 3 * (1 << bits); first = false) {
    if (!readBool(t)) return readLiteral(t, bits) + base;
    base += 1 << bits;
    if (!first) bits++;
  }
  return readUniform(t, count - base) + base;
}

/** inverse_recenter */
function recentred(near: i32, code: i32): i32 {
  if (code > 2 * near) return code;
  return code & 1 ? near - ((code + 1) >> 1) : near + (code >> 1);
}
