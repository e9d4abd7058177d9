import type { Cursor } from '../cursor.ts';
import { type Entry, entryValue, TYPE_BYTES, wholeNumber } from './ifd_entry.ts';

/**
 * Most entries read of one directory; libtiff refuses more (tif_dirread.c, "Sanity check on directory
 * count").
 */
export const MAX_DIRECTORY_ENTRIES = 4096;

/** Work of a directory and of an entry besides their reads, in bytes searched. */
const DIRECTORY = 4096;
const ENTRY = 128;

/** 42 is TIFF 6.0, 43 is BigTIFF. */
const CLASSIC = 42;
const BIG = 43;

/** The header of a TIFF structure, which is a file of its own or an Exif payload; not validated. */
export interface TiffHeader {
  readonly little: boolean;
  /** 42 or 43 in a TIFF; −1 if the window ends before it. */
  readonly version: number;
  /** BigTIFF: 64-bit offsets and counts. */
  readonly big: boolean;
  /** Bytes of an offset: 4; in BigTIFF as stated, which must be 8. */
  readonly offsetBytes: number;
  /** Offset of the first directory; −1 if the window ends before it. */
  readonly first: number;
}

/** Reads "II" or "MM" and what follows; null if neither is there. */
export function tiffHeader(window: Cursor): TiffHeader | null {
  const order = window.u16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  const version = window.u16(2, little);
  const big = version === BIG;
  const offsetBytes = big ? window.u16(4, little) : 4;
  return { little, version, big, offsetBytes, first: big ? window.u64(8, little) : window.u32(4, little) };
}

/** An image file directory. */
export interface Directory {
  readonly start: number;
  /** End of the declared entries; beyond the window if the directory is cut off. */
  readonly entriesEnd: number;
  /** The entries that were read, in order. */
  readonly entries: readonly Entry[];
  /** End of the link to the next directory, clipped to the window. */
  readonly end: number;
  /** The entries by tag; if a tag is repeated, the first. */
  readonly fields: ReadonlyMap<number, Entry>;
  /** Offset of the next directory, 0 for none. */
  readonly next: number;
}

/** A TIFF structure in a window; all its links count from offset 0 of the window. */
export class Tiff {
  /** The end of the furthest byte that any directory read so far uses, clipped to the window. */
  reach = 8;
  readonly #visited = new Set<number>();
  #entriesLeft: number;

  readonly window: Cursor;
  readonly header: TiffHeader;

  private constructor(window: Cursor, header: TiffHeader, most = Number.POSITIVE_INFINITY) {
    this.window = window;
    this.header = header;
    // Directories that do not overlap cannot hold more entries than fit in the window.
    this.#entriesLeft = Math.min(Math.floor(window.length / 12), most);
  }

  /**
   * A structure with a valid header: TIFF 6.0, or BigTIFF with offsets of 8 bytes; null for any other.
   * @param most entries read in all directories; by default as many as fit into the window
   */
  static open(window: Cursor, most?: number): Tiff | null {
    const header = tiffHeader(window);
    if (header?.version === CLASSIC || (header?.version === BIG && header.offsetBytes === 8)) {
      return new Tiff(window, header, most);
    }
    return null;
  }

  /**
   * Directories without a header, as in maker notes: classic, with known byte order.
   * @param first offset of the first directory
   */
  static headless(window: Cursor, little: boolean, first: number): Tiff {
    return new Tiff(window, { little, version: CLASSIC, big: false, offsetBytes: 4, first });
  }

  /**
   * The directory at an offset, or null: outside the window, empty, already visited (links may form loops),
   * or beyond the allowance of entries, which only overlapping directories can exhaust.
   */
  directory(start: number): Directory | null {
    const { window, header } = this;
    const { little, big } = header;
    if (!(start > 0) || this.#visited.has(start) || this.#entriesLeft <= 0) return null;
    const declared = big ? window.u64(start, little) : window.u16(start, little);
    if (declared <= 0) return null;
    this.#visited.add(start);
    window.meter.work(DIRECTORY);
    const entryBytes = big ? 20 : 12;
    const body = start + (big ? 8 : 2);
    const count = Math.min(declared, MAX_DIRECTORY_ENTRIES, this.#entriesLeft);
    const entries: Entry[] = [];
    const fields = new Map<number, Entry>();
    while (entries.length < count) {
      const entry = this.#entry(body + entries.length * entryBytes);
      if (entry === null) break;
      entries.push(entry);
      window.meter.work(ENTRY);
      if (!fields.has(entry.tag)) fields.set(entry.tag, entry);
    }
    this.#entriesLeft -= entries.length;
    const entriesEnd = body + declared * entryBytes;
    const next = big ? window.u64(entriesEnd, little) : window.u32(entriesEnd, little);
    const end = Math.min(entriesEnd + (big ? 8 : 4), window.length);
    this.#extend(end);
    return { start, entriesEnd, entries, end, fields, next: Math.max(next, 0) };
  }

  #entry(at: number): Entry | null {
    const { window, header } = this;
    const { little, big } = header;
    const tag = window.u16(at, little);
    const type = window.u16(at + 2, little);
    const count = big ? window.u64(at + 4, little) : window.u32(at + 4, little);
    const value = at + (big ? 12 : 8);
    if (tag < 0 || type < 0 || count < 0 || value + (big ? 8 : 4) > window.length) return null;
    const bytes = (TYPE_BYTES[type] ?? 0) * count;
    if (bytes <= (big ? 8 : 4)) return { tag, type, count, at: value, bytes };
    const elsewhere = big ? window.u64(value, little) : window.u32(value, little);
    this.#extend(elsewhere + bytes);
    return { tag, type, count, at: elsewhere, bytes };
  }

  /** Records that the structure uses the window up to `end`. */
  claim(end: number): void {
    this.#extend(end);
  }

  #extend(end: number): void {
    if (end > this.reach) this.reach = Math.min(end, this.window.length);
  }

  /**
   * Value `index` of a field of whole numbers, 0 or more; NaN if it is absent, unreadable or another kind of
   * value.
   */
  number(entry: Entry | undefined, index = 0): number {
    return entry === undefined ? Number.NaN : wholeNumber(this.window, entry, index, this.header.little);
  }

  /** Value `index` of a field, according to its type; NaN if it cannot be read. */
  value(entry: Entry, index: number): number {
    return entryValue(this.window, entry, index, this.header.little);
  }
}
