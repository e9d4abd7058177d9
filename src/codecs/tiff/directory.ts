import { decodingFault } from '../../faults.ts';
import { TiffBytes } from './bytes.ts';

/** The values of one tag; all lie inside the file. */
export interface TagValues {
  readonly count: number;
  /** Value `index`; a rational is divided out. */
  at(index: number): number;
  /** Where the first value stands in the file. */
  readonly start: number;
}

/** Bytes of a value by its type (TIFF 6.0 section 2; 13 by Adobe's supplement, 16 to 18 by BigTIFF). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Entries looked at: a baseline directory has some 15, the busiest real ones under 200. */
const MAX_ENTRIES = 4096;

/** The first image file directory of a TIFF: tags and where their values are. */
export class Directory {
  readonly file: TiffBytes;
  readonly #entries = new Map<number, { type: number; count: number; start: number }>();

  /**
   * Reads header and first directory of a classic TIFF or a BigTIFF.
   * @throws Fault 'decoding' when they are not there or do not lie inside the file
   */
  constructor(bytes: Uint8Array) {
    const mark = bytes.length >= 2 ? bytes[0]! * 256 + bytes[1]! : 0;
    if (mark !== 0x4949 && mark !== 0x4d4d)
      throw decodingFault('A TIFF begins with II or MM; this file does not');
    const file = new TiffBytes(bytes, mark === 0x4949);
    this.file = file;
    file.need(0, 8, 'header');
    const version = file.u16(2);
    if (version !== 42 && version !== 43)
      throw decodingFault(`A TIFF has version 42 or 43; this one says ${version}`);
    const big = version === 43;
    if (big) file.need(0, 16, 'header');
    if (big && file.u16(4) !== 8)
      throw decodingFault(`A BigTIFF has 8-byte offsets; this one says ${file.u16(4)}`);

    const at = big ? file.u64(8) : file.u32(4);
    file.need(at, big ? 8 : 2, 'first directory');
    const count = big ? file.u64(at) : file.u16(at);
    const [first, entryBytes, countBytes] = big ? [at + 8, 20, 8] : [at + 2, 12, 4];
    file.need(first, count * entryBytes, 'first directory');
    for (let index = 0; index < Math.min(count, MAX_ENTRIES); index++) {
      const entry = first + index * entryBytes;
      const tag = file.u16(entry);
      const type = file.u16(entry + 2);
      const values = big ? file.u64(entry + 4) : file.u32(entry + 4);
      const field = entry + 4 + countBytes;
      const size = (TYPE_BYTES[type] ?? 0) * values;
      if (size === 0 || this.#entries.has(tag)) continue;
      const start = size <= countBytes ? field : big ? file.u64(field) : file.u32(field);
      this.#entries.set(tag, { type, count: values, start });
    }
  }

  /**
   * The values of a tag, or undefined without it.
   * @throws Fault 'decoding' when they do not lie inside the file
   */
  values(tag: number): TagValues | undefined {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return undefined;
    const { type, count, start } = entry;
    const size = TYPE_BYTES[type]!;
    this.file.need(start, count * size, `tag ${tag}`);
    return { count, start, at: (index) => this.#value(type, start + index * size) };
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

  #value(type: number, at: number): number {
    const { file } = this;
    switch (type) {
      case 1:
      case 2:
      case 7:
        return file.u8(at);
      case 3:
        return file.u16(at);
      case 4:
      case 13:
        return file.u32(at);
      case 5:
        return file.u32(at) / file.u32(at + 4);
      case 6:
        return (file.u8(at) << 24) >> 24;
      case 8:
        return (file.u16(at) << 16) >> 16;
      case 9:
        return file.u32(at) | 0;
      case 10:
        return (file.u32(at) | 0) / (file.u32(at + 4) | 0);
      case 11:
        return file.f32(at);
      case 12:
        return file.f64(at);
      default:
        return file.u64(at);
    }
  }
}
