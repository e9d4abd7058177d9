import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import { searchXmp } from './xmp.ts';

/** Most image resource blocks of one segment. Photoshop writes about 40. */
const MAX_RESOURCES = 4096;

/**
 * Signatures of resource blocks: Adobe's own, and those of ImageReady, PhotoDeluxe and others with the same
 * layout.
 */
const SIGNATURES = ['8BIM', 'MeSa', 'PHUT', 'AgHg', 'DCSR'];

/**
 * Walks the image resource blocks in [start, end) of the window and records what they embed. Source: Adobe
 * Photoshop File Formats Specification, "Image Resource Blocks".
 */
export function scanResources(window: Cursor, start: number, end: number, draft: FactsDraft): void {
  let at = start;
  for (let n = 0; n < MAX_RESOURCES && at + 12 <= end; n++) {
    if (!SIGNATURES.some((signature) => window.matches(at, signature))) return;
    const id = window.u16(at + 4);
    const nameLength = window.u8(at + 6);
    const sizeAt = at + 6 + evened(nameLength + 1);
    const size = window.u32(sizeAt);
    if (id < 0 || nameLength < 0 || size < 0) return;
    const from = sizeAt + 4;
    const to = Math.min(from + size, end);
    if (size > 0) resource(window, id, from, to, draft);
    at = from + evened(size);
  }
}

function resource(window: Cursor, id: number, from: number, to: number, draft: FactsDraft): void {
  switch (id) {
    case 0x0404:
      draft.blockIn(window, 'iptc', from, to);
      draft.payload('iptc', window, from, to);
      return;
    case 0x0409: // Photoshop 4
    case 0x040c:
      draft.blockIn(window, 'thumbnail', from, to);
      draft.payload('photoshop_thumbnail', window, from, to);
      return;
    case 0x040f:
      draft.blockIn(window, 'icc', from, to);
      return;
    case 0x0422:
      draft.blockIn(window, 'exif', from, to);
      draft.nest('exif', window.window(from, to));
      return;
    case 0x0424:
      draft.blockIn(window, 'xmp', from, to);
      searchXmp(window, from, to, draft);
  }
}

const evened = (length: number) => length + (length % 2);
