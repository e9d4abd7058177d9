import { decodingFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import { Tiff, tiffHeader } from '../../metadata/tiff/ifd.ts';
import type { Entry } from '../../metadata/tiff/ifd_entry.ts';

/** The values of one tag; all lie inside the file. */
export interface TagValues {
  readonly count: number;
  /** Value `index`; a rational is divided out. */
  at(index: number): number;
  /** Position of the first value in the file. */
  readonly start: number;
}

/** The bytes of a TIFF and their order. */
export interface TiffFile {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly littleEndian: boolean;
}

/** The first image file directory of a TIFF: tags and where their values are. */
export class Directory {
  readonly file: TiffFile;
  readonly #tiff: Tiff;
  /** Of several entries with the same tag, the first that has values. */
  readonly #entries = new Map<number, Entry>();

  /**
   * Reads header and first directory of a classic TIFF or a BigTIFF.
   * @throws Fault 'decoding' when they are missing or do not lie inside the file
   */
  constructor(bytes: Uint8Array) {
    const cursor = Cursor.unlimited(bytes);
    this.#tiff = openTiff(cursor);
    const { little, big, first } = this.#tiff.header;
    this.file = { bytes, length: bytes.length, littleEndian: little };
    requireInside(cursor, first, big ? 8 : 2, 'first directory');
    const directory = this.#tiff.directory(first);
    if (directory === null) throw decodingFault(`The TIFF has no directory at byte ${first}`);
    const { start, entriesEnd, entries } = directory;
    requireInside(cursor, start, entriesEnd - start, 'first directory');
    for (const entry of entries) {
      if (entry.bytes > 0 && !this.#entries.has(entry.tag)) this.#entries.set(entry.tag, entry);
    }
  }

  /**
   * The values of a tag, or undefined without it.
   * @throws Fault 'decoding' when they do not lie inside the file
   */
  values(tag: number): TagValues | undefined {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return undefined;
    requireInside(this.#tiff.window, entry.at, entry.bytes, `tag ${tag}`);
    return { count: entry.count, start: entry.at, at: (index) => this.#tiff.value(entry, index) };
  }

  /** The first value of a tag, or `fallback` without it. */
  number(tag: number, fallback: number): number {
    return this.values(tag)?.at(0) ?? fallback;
  }

  /** The first `most` values of a tag; empty without it. */
  numbers(tag: number, most: number): number[] {
    const values = this.values(tag);
    return Array.from({ length: Math.min(values?.count ?? 0, most) }, (_, index) => values!.at(index));
  }
}

/** @throws Fault 'decoding' for a header that is cut, or not that of a TIFF */
function openTiff(file: Cursor): Tiff {
  const header = tiffHeader(file);
  if (header === null) throw decodingFault('A TIFF begins with II or MM; this file does not');
  requireInside(file, 0, header.big ? 16 : 8, 'header');
  const tiff = Tiff.open(file);
  if (tiff !== null) return tiff;
  if (header.big) throw decodingFault(`A BigTIFF has 8-byte offsets; this one says ${header.offsetBytes}`);
  throw decodingFault(`A TIFF has version 42 or 43; this one says ${header.version}`);
}

/** @throws Fault 'decoding' unless [at, at + count) lies inside the file */
function requireInside({ length }: Cursor, at: number, count: number, what: string): void {
  if (!(at >= 0 && count >= 0 && at + count <= length)) {
    throw decodingFault(`The TIFF's ${what} lies at bytes ${at} to ${at + count}; it has ${length}`);
  }
}
