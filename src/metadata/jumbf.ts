import type { Cursor } from './cursor.ts';

/**
 * Type of a JUMBF superbox that is a C2PA manifest store: C2PA specification, "JUMBF box types" (the ASCII
 * letters c2pa, then a fixed tail).
 */
const C2PA_TYPE = 'c2pa\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71';

/**
 * The kind of a JUMBF superbox (ISO/IEC 19566-5), according to the description box at its start.
 * @param at offset of the superbox, at its length field
 */
export function jumbfKind(window: Cursor, at: number): 'c2pa' | 'jumbf' | null {
  if (!window.matches(at + 4, 'jumb')) return null;
  // a length of 1 means that eight bytes of extended length follow the type
  const body = at + (window.u32(at) === 1 ? 16 : 8);
  return window.matches(body + 4, 'jumd') && window.matches(body + 8, C2PA_TYPE) ? 'c2pa' : 'jumbf';
}
