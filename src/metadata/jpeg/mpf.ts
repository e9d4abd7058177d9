import type { Cursor } from '../cursor.ts';
import { Tiff } from '../tiff/ifd.ts';

/** Tag of the MP Entry field, CIPA DC-007 §5.2.3.3. */
const MP_ENTRY = 0xb002;
/** Bytes of one MP entry: attributes, size, offset, two dependent entry numbers. */
const MP_ENTRY_BYTES = 16;
/** Most entries read. */
const MAX_PICTURES = 1024;

/**
 * Counts the pictures in a multi-picture index (CIPA DC-007 §5.2.3): the primary, the views of a panorama, a
 * stereo pair or a multi-angle shot, and those of undefined type. Large thumbnails (type codes 0x01…) are not
 * counted.
 * @param window the index; its offset 0 is after "MPF\0"
 */
export function countViews(window: Cursor): number {
  const tiff = Tiff.open(window);
  const entries = tiff?.directory(tiff.header.first)?.fields.get(MP_ENTRY);
  if (!tiff || !entries) return 0;
  const count = Math.min(Math.floor(entries.bytes / MP_ENTRY_BYTES), MAX_PICTURES);
  let views = 0;
  for (let i = 0; i < count; i++) {
    const attributes = window.u32(entries.at + i * MP_ENTRY_BYTES, tiff.header.little);
    if (attributes < 0) break;
    if (((attributes >>> 16) & 0xff) !== 0x01) views += 1;
  }
  return views;
}
