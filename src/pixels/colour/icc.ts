import type { Matrix } from './primaries.ts';

/** Shortest profile: its header and the number of its tags (ICC.1:2022 section 7.2). */
const HEADER_BYTES = 128;
const TAG_BYTES = 12;
/** Most tags that are read: LittleCMS' own limit. */
const MAX_TAGS = 100;

/** A profile that can't be used; the message ends the sentence "the ICC profile was ignored: it …". */
export class ProfileDefect extends Error {}

/** Where a tag's data lie in the profile. */
export interface Tag {
  readonly start: number;
  readonly end: number;
}

/** A profile's header and tag table, checked against its length. */
export interface IccProfile {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Four characters each, without trailing blanks: "mntr", "RGB", "XYZ". */
  readonly deviceClass: string;
  readonly colourSpace: string;
  readonly connectionSpace: string;
  /** The first tag of each signature, if its data lie in the profile. */
  readonly tags: ReadonlyMap<string, Tag>;
}

/** Four characters of ASCII; unprintable ones become "?". */
export function signature(view: DataView, at: number): string {
  let text = '';
  for (let i = at; i < at + 4; i++) {
    const code = view.getUint8(i);
    text += code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '?';
  }
  return text.trimEnd();
}

/**
 * Reads header and tag table (ICC.1:2022 sections 7.2 and 7.3). Tags outside of the profile are left out, as
 * LittleCMS does.
 * @throws ProfileDefect when it is none, or shorter than it says
 */
export function readProfile(bytes: Uint8Array): IccProfile {
  if (bytes.length < HEADER_BYTES + 4)
    throw new ProfileDefect(`has ${bytes.length} bytes, too few for a profile`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (signature(view, 36) !== 'acsp') throw new ProfileDefect('has no profile signature');
  const size = view.getUint32(0);
  if (size > bytes.length)
    throw new ProfileDefect(`is cut short: ${bytes.length} bytes of ${size} are there`);
  if (size < HEADER_BYTES + 4) throw new ProfileDefect(`says that it has ${size} bytes`);
  const count = view.getUint32(HEADER_BYTES);
  if (count > MAX_TAGS) throw new ProfileDefect(`has ${count} tags; at most ${MAX_TAGS} are read`);
  const first = HEADER_BYTES + 4;
  if (first + count * TAG_BYTES > size) throw new ProfileDefect('is cut short in its tag table');
  const tags = new Map<string, Tag>();
  for (let at = first; at < first + count * TAG_BYTES; at += TAG_BYTES) {
    const name = signature(view, at);
    const start = view.getUint32(at + 4);
    const end = start + view.getUint32(at + 8);
    if (end <= size && end - start >= 8 && !tags.has(name)) tags.set(name, { start, end });
  }
  return {
    bytes: bytes.subarray(0, size),
    view,
    deviceClass: signature(view, 12),
    colourSpace: signature(view, 16),
    connectionSpace: signature(view, 20),
    tags,
  };
}

/**
 * Hides tags in the table of a profile that `readProfile` has read, by changing the first character of their
 * names to "_".
 */
export function hideTags(profile: Uint8Array, names: RegExp): void {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const first = HEADER_BYTES + 4;
  for (let at = first; at < first + view.getUint32(HEADER_BYTES) * TAG_BYTES; at += TAG_BYTES) {
    if (names.test(signature(view, at))) profile[at] = 0x5f;
  }
}

const fixed = (view: DataView, at: number) => view.getInt32(at) / 65_536;

/**
 * Linear RGB to XYZ under D50: the three matrix column tags as columns.
 * @throws ProfileDefect when one is missing, or white would have no sensible luminance
 */
export function colorants(profile: IccProfile): Matrix {
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => {
    const tag = profile.tags.get(name);
    if (!tag || tag.end - tag.start < 20 || signature(profile.view, tag.start) !== 'XYZ') {
      throw new ProfileDefect(`has no usable ${name} tag`);
    }
    return [8, 12, 16].map((offset) => fixed(profile.view, tag.start + offset));
  });
  const luminance = columns.reduce((sum, [, y]) => sum + y!, 0);
  if (!(luminance > 0.5 && luminance < 2)) {
    throw new ProfileDefect(`makes white ${luminance.toFixed(2)} times as bright as it is`);
  }
  return [0, 1, 2].flatMap((row) => columns.map((column) => column[row]!));
}
