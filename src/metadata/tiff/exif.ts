import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import { walkDirectories } from './directories.ts';
import { Tiff } from './ifd.ts';

/** Most entries read of one payload: cameras write a few hundred, 64 KB of a JPEG hold 5,461. */
const MAX_ENTRIES = 65_536;

/**
 * Scans an Exif payload (CIPA DC-008): a TIFF structure whose first directory describes the picture and whose
 * second describes its thumbnail. The block `exif` itself is recorded by the container, which knows where the
 * payload's wrapping begins.
 * @param window the payload; its offset 0 is at the "II" or "MM"
 * @param governs whether the container lets this payload describe the picture: its orientation and its colour
 * space
 * @returns whether the payload has a TIFF header at all
 */
export function scanExif(window: Cursor, draft: FactsDraft, { governs }: { governs: boolean }): boolean {
  const tiff = Tiff.open(window, MAX_ENTRIES);
  if (tiff === null) return false;
  draft.payload('exif', window, 0, window.length);
  draft.later(walkPayload(tiff, draft, governs));
  return true;
}

function* walkPayload(tiff: Tiff, draft: FactsDraft, governs: boolean): Generator<number, void> {
  yield* walkDirectories(tiff, draft, { governs, file: false });
}
