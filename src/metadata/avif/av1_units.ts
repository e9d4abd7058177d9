import type { Cursor } from '../cursor.ts';

/** `obu_type`, AV1 specification §6.2.2. */
export const UnitType = {
  sequenceHeader: 1,
  temporalDelimiter: 2,
  frameHeader: 3,
  tileGroup: 4,
  frame: 6,
} as const;

/** Longest `leb128` number, §4.10.5. */
export const MAX_LEB128_BYTES = 8;

/** An open bitstream unit, OBU. */
export interface Unit {
  readonly type: number;
  /** spatial_id; 0 if absent. */
  readonly layer: number;
  /** Where its payload begins. */
  readonly payload: number;
  /** Where it ends, perhaps beyond the bitstream; infinity if its size is malformed. */
  readonly end: number;
}

/** The unit at `at`, before the cursor's end. Source: AV1 specification §5.3. */
export function unitAt(cursor: Cursor, at: number): Unit {
  const header = cursor.u8(at);
  const type = (header >> 3) & 15;
  const isExtended = (header & 4) !== 0;
  const layer = isExtended ? (cursor.u8(at + 1) >> 3) & 3 : 0;
  const from = at + (isExtended ? 2 : 1);
  // A unit without a size extends to the end.
  if ((header & 2) === 0) return { type, layer, payload: from, end: Math.max(from, cursor.length) };
  const { value, bytes } = leb128(cursor, from);
  return { type, layer, payload: from + bytes, end: from + bytes + value };
}

/** An unsigned number, AV1 specification §4.10.5; infinity if it is malformed. */
export function leb128(cursor: Cursor, at: number): { value: number; bytes: number } {
  let value = 0;
  for (let n = 0; n < MAX_LEB128_BYTES; n++) {
    const byte = cursor.u8(at + n);
    if (byte < 0) break;
    value += (byte & 0x7f) * 2 ** (7 * n);
    if (byte < 0x80) return { value, bytes: n + 1 };
  }
  return { value: Number.POSITIVE_INFINITY, bytes: 0 };
}
