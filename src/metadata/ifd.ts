import type { Cursor } from './cursor.ts';

/** Entries read of one directory; libtiff refuses more (tif_dirread.c, "Sanity check on directory count"). */
const MAX_DIRECTORY_ENTRIES = 4096;

/**
 * Bytes of one value by field type: TIFF 6.0 p. 15, Tech Note 1 (13), BigTIFF (16 to 18). Index is the type,
 * 0 unknown.
 */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** The first bytes of a TIFF structure, a file of its own or an Exif payload. */
interface TiffHeader {
  readonly little: boolean;
  /** BigTIFF: 64-bit offsets and counts. */
  readonly big: boolean;
  /** Offset of the first directory. */
  readonly first: number;
}

/** One field of a directory. `at` is where its values lie in the window: in the entry itself or elsewhere. */
export interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly at: number;
  /** Bytes of all its values; they may leave the window. */
  readonly bytes: number;
}

/** An image file directory; of entries with the same tag the first counts. */
export interface Directory {
  readonly start: number;
  /** End of the entries and the link to the next directory. */
  readonly end: number;
  readonly fields: ReadonlyMap<number, Entry>;
  /** Offset of the next directory, 0 for none. */
  readonly next: number;
}

/** A TIFF structure in a window whose offset 0 is the offset 0 of all its links. */
export class Tiff {
  /** The furthest byte that any directory read so far claims, clipped to the window. */
  reach = 8;
  readonly #visited = new Set<number>();
  #entriesLeft: number;

  readonly window: Cursor;
  readonly header: TiffHeader;

  private constructor(window: Cursor, header: TiffHeader) {
    this.window = window;
    this.header = header;
    // Directories that do not overlap cannot hold more entries than fit in the window.
    this.#entriesLeft = Math.floor(window.length / 12);
  }

  /** Reads the header: "II" or "MM", then 42 (TIFF 6.0) or 43 (BigTIFF); null when it is neither. */
  static open(window: Cursor): Tiff | null {
    const order = window.u16(0);
    if (order !== 0x4949 && order !== 0x4d4d) return null;
    const little = order === 0x4949;
    const magic = window.u16(2, little);
    if (magic === 42) return new Tiff(window, { little, big: false, first: window.u32(4, little) });
    if (magic === 43 && window.u16(4, little) === 8) {
      return new Tiff(window, { little, big: true, first: window.u64(8, little) });
    }
    return null;
  }

  /**
   * The directory at an offset, or null: outside the window, empty, seen before (links may form loops), or
   * beyond the allowance of entries that only overlapping directories can use up.
   */
  directory(start: number): Directory | null {
    const { window, header } = this;
    const { little, big } = header;
    if (!(start > 0) || this.#visited.has(start) || this.#entriesLeft <= 0) return null;
    const declared = big ? window.u64(start, little) : window.u16(start, little);
    if (declared <= 0) return null;
    this.#visited.add(start);
    const entryBytes = big ? 20 : 12;
    const body = start + (big ? 8 : 2);
    const count = Math.min(declared, MAX_DIRECTORY_ENTRIES, this.#entriesLeft);
    const fields = new Map<number, Entry>();
    let read = 0;
    for (; read < count; read++) {
      const entry = this.#entry(body + read * entryBytes);
      if (entry === null) break;
      if (!fields.has(entry.tag)) fields.set(entry.tag, entry);
    }
    this.#entriesLeft -= read;
    const link = body + declared * entryBytes;
    const next = big ? window.u64(link, little) : window.u32(link, little);
    const end = Math.min(link + (big ? 8 : 4), window.length);
    this.#extend(end);
    return { start, end, fields, next: Math.max(next, 0) };
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

  /** Notes that the structure uses the window up to `end`. */
  claim(end: number): void {
    this.#extend(end);
  }

  #extend(end: number): void {
    if (end > this.reach) this.reach = Math.min(end, this.window.length);
  }

  /** Value `index` of a field of whole numbers; NaN when it is absent, unreadable or of another type. */
  number(entry: Entry | undefined, index = 0): number {
    if (entry === undefined || !(index < entry.count)) return Number.NaN;
    const { window, header } = this;
    const at = entry.at + index * (TYPE_BYTES[entry.type] ?? 0);
    let value = -1;
    switch (entry.type) {
      case 1:
      case 6:
      case 7:
        value = window.u8(at);
        break;
      case 3:
      case 8:
        value = window.u16(at, header.little);
        break;
      case 4:
      case 9:
      case 13:
        value = window.u32(at, header.little);
        break;
      case 16:
      case 18:
        value = window.u64(at, header.little);
    }
    return value < 0 ? Number.NaN : value;
  }
}
