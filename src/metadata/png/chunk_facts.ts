import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { BlockName } from '../facts.ts';
import { scanExif } from '../tiff/exif.ts';
import { PNG_COLOUR_TYPES } from './colour_types.ts';
import { PngTexts } from './text.ts';

/**
 * Chunks that describe the picture or its display and carry nothing else: PNG third edition §11; sCAL, sTER,
 * gIFg of its extensions; vpAg of ImageMagick; CgBI and iDOT of Apple.
 */
const PLAIN = new Set(
  `IHDR PLTE IDAT IEND tRNS cHRM gAMA sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT sCAL sTER gIFg vpAg
  CgBI iDOT`.split(/\s+/),
);
/** Chunks that say what the colours mean; they stand before IDAT (PNG third edition table 7). */
const COLOUR_CHUNKS = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI']);
const TEXTS = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Highest ratio of Deflate: 258 bytes from two bits (RFC 1951 §3.2.5). */
const MAX_DEFLATE_RATIO = 1032;
/** Largest width and height that PNG allows. */
const MAX_SIDE = 0x7fff_ffff;

/** The facts in the chunks of one PNG, which must be given in file order. */
export class PngFacts {
  #count = 0;
  #colourType = -1;
  #palette = false;
  #dataBytes = 0;
  #animationFrames = 0;
  #isFrame = false;
  #lastData = 0;
  /** Types of colour chunks that were sound. */
  readonly #heeded = new Set<string>();
  readonly #texts: PngTexts;

  readonly cursor: Cursor;
  readonly draft: FactsDraft;

  constructor(cursor: Cursor, draft: FactsDraft) {
    this.cursor = cursor;
    this.draft = draft;
    this.#texts = new PngTexts(cursor, draft);
  }

  /**
   * Records one chunk: it begins at `start`, its data are [at, end).
   * @param sound whether its checksum is right, for COLOUR_CHUNKS; the others are not asked
   */
  chunk(type: string, start: number, at: number, end: number, sound = true): void {
    const { cursor, draft } = this;
    if (COLOUR_CHUNKS.has(type) && !this.#isColour(type, sound)) {
      if (type === 'iCCP') draft.block('icc', start, end + 4);
      this.#count += 1;
      return;
    }
    if (this.#count === 0 && type !== 'IHDR') draft.fail('its first chunk is not IHDR');
    this.#count += 1;
    switch (type) {
      case 'IHDR':
        if (this.#colourType < 0) this.#header(at);
        return;
      case 'PLTE':
        this.#palette = true;
        return;
      case 'IDAT':
        if (this.#lastData > 0 && this.#lastData !== this.#count - 1)
          draft.fail('its IDAT chunks do not follow each other');
        this.#lastData = this.#count;
        this.#dataBytes += end - at;
        return;
      case 'tRNS':
        draft.hasAlpha = true;
        return;
      case 'acTL':
        if (this.#animationFrames === 0) this.#animationFrames = Math.max(0, cursor.u32(at));
        return;
      case 'fcTL':
        // The image data are a frame of the animation if a frame begins before them.
        if (this.#dataBytes === 0) this.#isFrame = true;
        return;
      case 'gAMA':
        draft.colorimetry.gamma ??= positive(cursor.u32(at) / 100_000);
        return;
      case 'sRGB':
        draft.colorimetry.srgbIntent ??= intent(cursor.u8(at));
        return;
      case 'cHRM':
        this.#chromaticities(at, end);
        return;
      case 'cICP':
        this.#codePoints(at, end);
        return;
      case 'cLLI':
        // MaxCLL and MaxFALL; in mDCV the maximum and minimum luminance; in units of 0.0001
        if (end - at === 8) draft.peaks.content ||= Math.max(0, cursor.u32(at)) / 10_000;
        return;
      case 'mDCV':
        if (end - at === 24) draft.peaks.display ||= Math.max(0, cursor.u32(at + 16)) / 10_000;
        return;
    }
    if (PLAIN.has(type) || type.length < 4) return;
    if (TEXTS.has(type)) {
      draft.payload('png_text', cursor, at, end, type);
      draft.later(this.#text(type, start, at, end));
      return;
    }
    const name = this.#block(type, at, end);
    // the CRC is part of the chunk
    draft.block(name, start, end + 4);
  }

  /** Whether it matters that the checksum of a chunk of this type is right: of colours, the first counts. */
  heeds(type: string): boolean {
    return COLOUR_CHUNKS.has(type) && this.#lastData === 0 && !this.#heeded.has(type);
  }

  /**
   * Whether a colour chunk counts, as in Chromium: not behind image data, nor cICP behind the palette, nor
   * with a wrong checksum, which is said.
   */
  #isColour(type: string, sound: boolean): boolean {
    if (this.#lastData > 0 || (type === 'cICP' && this.#palette)) return false;
    if (sound) this.#heeded.add(type);
    else this.draft.colorimetry.damaged ??= type;
    return sound;
  }

  /** Adds the facts that require all chunks. */
  finish(): void {
    const { draft } = this;
    if (this.#animationFrames > 0) {
      draft.frames = this.#animationFrames;
      // Decoders of stills show the picture besides the animation; none of the frames is that picture.
      if (!this.#isFrame) draft.pictures = draft.frames + 1;
    }
    if (this.#colourType === 3 && !this.#palette)
      draft.fail('it has no palette, which its colour type needs');
    if (this.#dataBytes === 0) draft.fail('it has no image data');
    const bits =
      draft.width * draft.height * (PNG_COLOUR_TYPES[this.#colourType]?.channels ?? 0) * draft.bitDepth;
    if (bits / 8 > (this.#dataBytes + 1) * MAX_DEFLATE_RATIO) {
      draft.fail('its image data is cut short: there is less of it than the image size needs');
    }
  }

  #header(at: number): void {
    const { cursor, draft } = this;
    const width = cursor.u32(at);
    const height = cursor.u32(at + 4);
    const depth = cursor.u8(at + 8);
    const type = cursor.u8(at + 9);
    const interlace = cursor.u8(at + 12);
    const form = PNG_COLOUR_TYPES[type];
    draft.width = Math.max(0, width);
    draft.height = Math.max(0, height);
    this.#colourType = type;
    const legal =
      form?.depths.includes(depth) &&
      width <= MAX_SIDE &&
      height <= MAX_SIDE &&
      cursor.u8(at + 10) === 0 &&
      cursor.u8(at + 11) === 0 &&
      (interlace === 0 || interlace === 1);
    if (!legal) draft.fail('its IHDR chunk holds values that PNG does not allow');
    if (form) {
      draft.colour = form.colour;
      draft.channels = form.channels;
      draft.hasAlpha = form.alpha;
    }
    draft.bitDepth = Math.max(0, depth);
    draft.progressive = interlace === 1;
  }

  #chromaticities(at: number, end: number): void {
    const point = (n: number): [number, number] => [
      this.cursor.u32(at + n * 8) / 100_000,
      this.cursor.u32(at + n * 8 + 4) / 100_000,
    ];
    if (end - at !== 32) return;
    const [white, red, green, blue] = [point(0), point(1), point(2), point(3)];
    this.draft.colorimetry.chromaticities ??= { white, red, green, blue };
  }

  #codePoints(at: number, end: number): void {
    const { cursor } = this;
    if (end - at !== 4) return;
    this.draft.colorimetry.codePoints ??= {
      primaries: cursor.u8(at),
      transfer: cursor.u8(at + 1),
      matrix: cursor.u8(at + 2),
      fullRange: cursor.u8(at + 3) === 1,
    };
  }

  *#text(type: string, start: number, at: number, end: number): Generator<number, void> {
    this.draft.block(yield* this.#texts.read(type, at, end), start, end + 4);
  }

  #block(type: string, at: number, end: number): BlockName {
    const { cursor, draft } = this;
    switch (type) {
      case 'eXIf':
      case 'zxIf': // a draft of eXIf
        // Some writers keep the prefix of JPEG's segment. Behind the image data browsers turn nothing.
        scanExif(cursor.window(cursor.matches(at, 'Exif\0') ? at + 6 : at, end), draft, {
          governs: this.#lastData === 0,
        });
        return 'exif';
      case 'iCCP': {
        const name = cursor.find(0, at, Math.min(end, at + 80));
        if (name >= 0 && name + 2 <= end && cursor.u8(name + 1) === 0) {
          draft.colorimetry.icc ??= { pieces: [{ start: name + 2, end }], encoding: 'zlib' };
        }
        return 'icc';
      }
      case 'tIME':
        draft.payload('png_time', cursor, at, end);
        return 'timestamp';
      case 'caBX':
        draft.payload('c2pa', cursor, at, end);
        return 'c2pa';
      // decoders need none of these three (§11.3.5.4, §11.3.5.3, extensions §2.1), and sPLT can contain any
      // data
      case 'sPLT':
        return 'suggested_palette';
      case 'hIST':
        return 'histogram';
      case 'oFFs':
        return 'image_offset';
      case 'gIFt':
        return 'text';
      default:
        return 'unknown';
    }
  }
}

const positive = (value: number) => (value > 0 ? value : undefined);
const intent = (value: number) => (value >= 0 && value <= 3 ? value : undefined);
