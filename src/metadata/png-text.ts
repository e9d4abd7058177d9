import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import type { BlockName } from './facts.ts';
import { searchXmp } from './xmp.ts';

/** Longest keyword PNG allows, and its terminator. */
const MAX_KEYWORD = 80;
/** The keyword under which XMP is kept: XMP specification part 3, §1.1.5. */
const XMP_KEYWORD = 'XML:com.adobe.xmp';

/** What ImageMagick and its kin keep in text chunks, hexadecimal, by the end of the keyword "Raw profile type …". */
const RAW_PROFILES: Readonly<Record<string, BlockName>> = {
  exif: 'exif',
  app1: 'exif',
  iptc: 'iptc',
  '8bim': 'photoshop',
  xmp: 'xmp',
  icc: 'icc',
  icm: 'icc',
};

/** Names a text chunk by its keyword, and looks through what it embeds. `at` is the start of its data. */
export function scanPngText(
  cursor: Cursor,
  type: 'tEXt' | 'zTXt' | 'iTXt',
  at: number,
  end: number,
  draft: FactsDraft,
): BlockName {
  const stop = cursor.find(0, at, Math.min(end, at + MAX_KEYWORD));
  if (stop < 0) return 'text';
  const keyword = cursor.text(at, stop, MAX_KEYWORD);
  const text = textStart(cursor, type, stop + 1, end);
  if (keyword === XMP_KEYWORD) {
    if (!text.deflated) searchXmp(cursor, text.start, end, draft);
    return 'xmp';
  }
  const profile = /^Raw profile type (.+)$/.exec(keyword)?.[1]?.toLowerCase() ?? '';
  return RAW_PROFILES[profile] ?? 'text';
}

/** Where the text of a chunk begins, after what PNG third edition §11.3.3 puts between keyword and text, and whether it is deflated. */
function textStart(
  cursor: Cursor,
  type: 'tEXt' | 'zTXt' | 'iTXt',
  at: number,
  end: number,
): { start: number; deflated: boolean } {
  if (type === 'tEXt') return { start: at, deflated: false };
  if (type === 'zTXt') return { start: at + 1, deflated: true };
  const language = cursor.find(0, at + 2, end);
  const translated = language < 0 ? -1 : cursor.find(0, language + 1, end);
  return { start: translated < 0 ? end : translated + 1, deflated: cursor.u8(at) === 1 };
}
