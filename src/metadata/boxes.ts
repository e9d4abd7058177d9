import type { Cursor } from './cursor.ts';

/** Boxes of one level that are read. */
const MAX_BOXES = 65_536;

/** A box of ISO/IEC 14496-12 §4.2: its type, where it begins, and its content. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** First byte of the content, after size and type. */
  readonly body: number;
  /** End as declared; it may lie beyond what holds the box. */
  readonly end: number;
}

/**
 * Latin-1 characters of [start, end), as `Cursor.text` gives them: the same string as one that came before
 * where they are alike. A file of 65,535 items would else hold as many strings, which the runtime moves
 * about whenever it collects.
 */
export function textLike(before: string, cursor: Cursor, start: number, end: number, most: number): string {
  const isSame = before !== '' && Math.min(end, start + most) - start === before.length;
  return isSame && cursor.matches(start, before) ? before : cursor.text(start, end, most);
}

/**
 * The box at an offset; a size of 0 means "to the end". Null where no box can be: too short, or a type that
 * is not four printable characters.
 * @param before the type of the box before it, whose text serves for one of the same type, too
 */
export function boxAt(cursor: Cursor, start: number, limit: number, before = ''): Box | null {
  if (start + 8 > limit) return null;
  const size = cursor.u32(start);
  const type = textLike(before, cursor, start + 4, start + 8, 4);
  if ((type === '' || type !== before) && !/^[\x20-\x7e\xa9]{4}$/.test(type)) return null;
  if (size === 0) return { type, start, body: start + 8, end: limit };
  if (size !== 1) return size >= 8 ? { type, start, body: start + 8, end: start + size } : null;
  const large = cursor.u64(start + 8);
  return large >= 16 ? { type, start, body: start + 16, end: start + large } : null;
}

/** Boxes that follow each other in [from, limit), their ends clipped to it. Stops where no box is. */
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
