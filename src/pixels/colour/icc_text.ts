import { type IccProfile, signature } from './icc.ts';

/** Longest name that is reported, in characters. */
const MAX_NAME = 64;
/** Most translations that are read. */
const MAX_RECORDS = 200;

/**
 * The profile's own name (profileDescriptionTag): printable, at most 64 characters; empty when it has none.
 */
export function profileName(profile: IccProfile): string {
  const tag = profile.tags.get('desc');
  if (!tag) return '';
  const { view } = profile;
  const type = signature(view, tag.start);
  if (type === 'mluc') return cleaned(translated(profile, tag.start, tag.end));
  if (type !== 'desc' || tag.end - tag.start < 12) return '';
  // ICC.1:2001-04 section 6.5.17: ASCII first, its length before it.
  const length = Math.min(view.getUint32(tag.start + 8), tag.end - tag.start - 12);
  return cleaned(
    new TextDecoder('latin1').decode(profile.bytes.subarray(tag.start + 12, tag.start + 12 + length)),
  );
}

/** The English text if there is one, else the first (section 10.15). */
function translated({ view, bytes }: IccProfile, start: number, end: number): string {
  if (end - start < 16) return '';
  const size = view.getUint32(start + 12);
  const count = Math.min(view.getUint32(start + 8), MAX_RECORDS);
  let found: Uint8Array | undefined;
  for (let i = 0, at = start + 16; i < count && size >= 12 && at + 12 <= end; i++, at += size) {
    const from = start + view.getUint32(at + 8);
    const to = from + view.getUint32(at + 4);
    if (to > end || from < start + 16) continue;
    const english = view.getUint16(at) === 0x656e;
    if (english || !found) found = bytes.subarray(from, to);
    if (english) break;
  }
  return found ? new TextDecoder('utf-16be').decode(found.subarray(0, MAX_NAME * 8)) : '';
}

/** Cleans a text: one line of printable characters, up to the first NUL. */
function cleaned(text: string): string {
  const line = text
    .slice(0, MAX_NAME * 4)
    .replace(/\0.*$/su, '')
    .replace(/[\p{C}\p{Z}\s\ufffd]+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_NAME).join('').trim();
}
