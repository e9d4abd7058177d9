import type { Cursor } from './cursor.ts';

/** Most boxes read of one level. */
const MAX_BOXES = 65_536;

/** Work of creating and handling a box, in bytes searched. */
const BOX_WORK = 256;

/** A box of ISO/IEC 14496-12 §4.2: its type, start and content. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** First byte of the content, after size and type. */
  readonly body: number;
  /** End as declared; may lie beyond the end of the enclosing box or file. */
  readonly end: number;
}

/**
 * Latin-1 characters of [start, end), as `Cursor.text` returns them; returns `before` itself if it is equal.
 * Otherwise a file of 65,535 items would hold as many strings, which the runtime moves around at each garbage
 * collection.
 */
export function textLike(before: string, cursor: Cursor, start: number, end: number, most: number): string {
  const isSame = before !== '' && Math.min(end, start + most) - start === before.length;
  return isSame && cursor.matches(start, before) ? before : cursor.text(start, end, most);
}

/**
 * The box at an offset; a size of 0 means "to the end". Null if no box can be there: too short, or a type
 * that is not four printable characters.
 * @param before the type of the previous box, whose string is reused for a box of the same type
 */
export function boxAt(cursor: Cursor, start: number, limit: number, before = ''): Box | null {
  if (start + 8 > limit) return null;
  cursor.meter.work(BOX_WORK);
  const size = cursor.u32(start);
  const type = textLike(before, cursor, start + 4, start + 8, 4);
  if ((type === '' || type !== before) && !/^[\x20-\x7e\xa9]{4}$/.test(type)) return null;
  if (size === 0) return { type, start, body: start + 8, end: limit };
  if (size !== 1) return size >= 8 ? { type, start, body: start + 8, end: start + size } : null;
  const large = cursor.u64(start + 8);
  return large >= 16 ? { type, start, body: start + 16, end: start + large } : null;
}

/** Consecutive boxes in [from, limit), their ends clipped to it. Stops where there is no box. */
export function* boxes(cursor: Cursor, from: number, limit: number): Generator<Box> {
  let at = from;
  let type = '';
  for (let n = 0; n < MAX_BOXES; n++) {
    const box = boxAt(cursor, at, limit, type);
    if (box === null) return;
    ({ type } = box);
    yield box.end > limit ? { ...box, end: limit } : box;
    at = box.end;
  }
}
