import { inflatePrefix } from '../../core/deflate/inflate_prefix.ts';
import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { BlockName, ByteRange } from '../facts.ts';
import { scanResources } from '../photoshop.ts';
import { scanExif } from '../tiff/exif.ts';
import { searchXmp } from '../xmp.ts';

/** Longest keyword that PNG allows, with its terminator. */
const MAX_KEYWORD = 80;
/** The keyword of XMP: XMP specification part 3, §1.1.5. */
const XMP_KEYWORD = 'XML:com.adobe.xmp';
/** The prefix of a packet in JPEG's APP1; ImageMagick keeps the whole segment. */
const APP1_XMP = 'http://ns.adobe.com/xap/1.0/\0';
/**
 * Most bytes unpacked from all texts of a file together: inflated (the larger of input and output), or read
 * from hexadecimal. Input counts because deflate blocks can be empty: output alone would not bound the work.
 */
export const MAX_UNPACKED = 1 << 20;

/**
 * The first byte of a bare IPTC record (IIM 4.2 §1.5), which some programs store without Photoshop's resource
 * around it.
 */
const IIM_MARKER = 0x1c;

/** The least that each text counts, so that their number is bounded too. */
const LEAST_SHARE = 4096;
/** Work of a text besides its reads, in bytes searched. */
const TEXT = 768;

/**
 * What ImageMagick and similar programs store in text chunks, in hexadecimal, by the part of the keyword
 * after "Raw profile type ".
 */
const RAW_PROFILES: ReadonlyMap<string, BlockName> = new Map([
  ['exif', 'exif'],
  ['app1', 'exif'],
  ['iptc', 'iptc'],
  ['8bim', 'photoshop'],
  ['xmp', 'xmp'],
  ['icc', 'icc'],
  ['icm', 'icc'],
]);

/**
 * The text chunks of one PNG (third edition §11.3.3): named by their keywords, and searched for what they
 * embed.
 */
export class PngTexts {
  readonly #cursor: Cursor;
  readonly #draft: FactsDraft;
  #allowance = MAX_UNPACKED;

  constructor(cursor: Cursor, draft: FactsDraft) {
    this.#cursor = cursor;
    this.#draft = draft;
  }

  /** The block name of a text chunk with data [at, end). Yields as scanners do. */
  *read(type: string, at: number, end: number): Generator<number, BlockName> {
    const cursor = this.#cursor;
    cursor.meter.work(TEXT);
    const stop = cursor.find(0, at, Math.min(end, at + MAX_KEYWORD));
    if (stop < 0) return 'text';
    const keyword = cursor.text(at, stop, MAX_KEYWORD);
    const raw = /^Raw profile type (.+)$/.exec(keyword)?.[1]?.toLowerCase();
    const name = keyword === XMP_KEYWORD ? 'xmp' : raw === undefined ? undefined : RAW_PROFILES.get(raw);
    if (name === undefined || name === 'icc' || this.#allowance <= 0) return name ?? 'text';
    const text = this.#text(type, stop + 1, end);
    if (keyword === XMP_KEYWORD) searchXmp(text, 0, text.length, this.#draft);
    else return this.#profile(name, yield* this.#fromHexadecimal(text, { start: at, end }));
    return name;
  }

  /** The text itself, inflated if it is compressed. */
  #text(type: string, at: number, end: number): Cursor {
    const cursor = this.#cursor;
    if (type === 'tEXt') return cursor.window(at, end);
    if (type === 'zTXt') return this.#inflated(at + 1, end);
    // compression flag, compression method, language tag, translated keyword
    const language = cursor.find(0, at + 2, end);
    const translated = language < 0 ? -1 : cursor.find(0, language + 1, end);
    const start = translated < 0 ? end : translated + 1;
    return cursor.u8(at) === 1 ? this.#inflated(start, end) : cursor.window(start, end);
  }

  #inflated(start: number, end: number): Cursor {
    const stream = this.#cursor.span(start, Math.min(end, start + this.#allowance)) ?? new Uint8Array(0);
    this.#cursor.meter.work(inflatingWork(stream));
    const bytes = inflatePrefix(stream, this.#allowance);
    this.#allowance -= Math.max(bytes.length, stream.length, LEAST_SHARE);
    return this.#cursor.unpacked(bytes, { start, end });
  }

  /** Records what a raw profile embeds. The name is kept, except for "APP1" that contains XMP. */
  #profile(name: BlockName, profile: Cursor): BlockName {
    const draft = this.#draft;
    if (profile.matches(0, APP1_XMP) || name === 'xmp') {
      searchXmp(profile, 0, profile.length, draft);
      return 'xmp';
    }
    if (name === 'exif') {
      const at = profile.matches(0, 'Exif\0') ? 6 : 0;
      scanExif(profile.window(at, profile.length), draft, { governs: false });
    } else if (profile.u8(0) === IIM_MARKER) draft.payload('iptc', profile, 0, profile.length);
    else scanResources(profile, 0, profile.length, draft);
    return name;
  }

  /**
   * The bytes of a raw profile: a line feed, a name, a line with the length, then lines of hexadecimal
   * digits.
   */
  *#fromHexadecimal(text: Cursor, place: ByteRange): Generator<number, Cursor> {
    const name = text.find(0x0a, 1);
    const length = name < 0 ? -1 : text.find(0x0a, name + 1);
    if (length < 0) return text.unpacked(new Uint8Array(0), place);
    const start = length + 1;
    const bytes = new Uint8Array(Math.min((text.length - start) >> 1, Math.max(0, this.#allowance)));
    let filled = 0;
    let high = -1;
    for (let at = start; at < text.length && filled < bytes.length; at++) {
      if (text.meter.isDue) yield text.meter.pause();
      const value = digit(text.u8(at));
      if (value < 0) continue;
      if (high < 0) high = value;
      else {
        bytes[filled++] = (high << 4) | value;
        high = -1;
      }
    }
    this.#allowance -= Math.max(filled, LEAST_SHARE);
    return text.unpacked(bytes.subarray(0, filled), place);
  }
}

/** Most work of inflating, in bytes searched: its memory, and empty blocks. */
export const inflatingWork = (stream: Uint8Array): number =>
  4_000_000 + 100 * Math.min(stream.length, 1 << 17);

/** The value of a hexadecimal digit, −1 for any other character. */
function digit(character: number): number {
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const letter = character | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
