import type { Cursor } from './cursor.ts';
import type {
  AvifPictures,
  Block,
  BlockName,
  Chromaticities,
  CodePoints,
  ColourModel,
  FileFacts,
  InputFormat,
  JpegDensity,
  JpegFacts,
  Orientation,
  PixelArea,
  ProfileLocation,
  TiffChunks,
} from './facts.ts';
import type { PayloadKind, Payloads } from './payloads.ts';

/**
 * Most separate blocks in one report. A hostile file can contain millions (a JPEG comment takes four bytes);
 * beyond this number a block is merged into the last one of its name, so that no name is lost and memory
 * stays small.
 */
export const MAX_BLOCKS = 2048;

/** Work of recording a structure, and of starting deferred work, in bytes searched. */
const STRUCTURE_WORK = 128;
const DEFERRED_WORK = 256;

/** Most structures inside other structures (Exif in Photoshop resources in Exif …) that are scanned. */
const MAX_NESTED = 256;

/** A structure inside another one of a different kind, to be scanned after it. */
interface Nested {
  readonly kind: 'exif' | 'photoshop';
  readonly window: Cursor;
}

/**
 * FileFacts while a scanner collects them. Scanners only add; of contradicting statements the first counts.
 */
export class FactsDraft {
  width = 0;
  height = 0;
  frames = 1;
  /** See `FileFacts.pictures`; 0 if it equals the number of frames. */
  pictures = 0;
  progressive = false;
  bitDepth = 8;
  channels = 3;
  hasAlpha = false;
  colour: ColourModel = 'unknown';
  jpeg: JpegFacts | undefined;
  density: JpegDensity | undefined;
  chunks: TiffChunks | undefined;
  avif: AvifPictures | undefined;
  onCanvas = false;
  assumedRange = false;
  cleanAperture: PixelArea | null | undefined;
  /** A gain map is announced by XMP, ISO 21496-1 or an item type; a picture after the first may be one. */
  gainMap = false;
  readonly colorimetry: {
    icc?: ProfileLocation;
    codePoints?: CodePoints;
    peakLuminance?: number;
    gamma?: number | undefined;
    chromaticities?: Chromaticities;
    srgbIntent?: number | undefined;
    damaged?: string;
    exifColorSpace?: number;
    interopIndex?: string;
  } = {};

  /**
   * Peak luminance in candelas per square metre, of the picture and of its mastering display; 0 if not
   * stated.
   */
  readonly peaks = { content: 0, display: 0 };

  /** Scanned one by one after the container: a queue, so that nesting cannot overflow the call stack. */
  readonly nested: Nested[] = [];
  readonly #later: Generator<number, void>[] = [];

  #orientation: Orientation | undefined;
  #defect: string | undefined;
  readonly #blocks: { name: BlockName; start: number; end: number }[] = [];
  readonly #last = new Map<BlockName, { name: BlockName; start: number; end: number }>();

  readonly format: InputFormat;
  readonly fileLength: number;
  /** Null if values will not be read. */
  readonly payloads: Payloads | null;

  constructor(format: InputFormat, fileLength: number, payloads: Payloads | null = null) {
    this.payloads = payloads;
    this.format = format;
    this.fileLength = fileLength;
  }

  /** Records a block at file offsets [start, end), clipped to the file; an empty one is dropped. */
  block(name: BlockName, start: number, end: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.fileLength, end);
    if (!(from < to)) return;
    const last = this.#last.get(name);
    if (this.#blocks.length >= MAX_BLOCKS && last) {
      last.start = Math.min(last.start, from);
      last.end = Math.max(last.end, to);
      return;
    }
    const block = { name, start: from, end: to };
    this.#last.set(name, block);
    this.#blocks.push(block);
  }

  /** Records a block given in a window's own offsets. */
  blockIn(window: Cursor, name: BlockName, start: number, end: number): void {
    if (window.place) this.block(name, window.place.start, window.place.end);
    else this.block(name, window.origin + Math.max(0, start), window.origin + Math.min(end, window.length));
  }

  /** Defers work that may take long; the container's scanner does it before it continues. */
  later(parts: Generator<number, void>): void {
    this.#later.push(parts);
  }

  /** Whether work was deferred, or a pause is due. Scanners ask at each structure, which counts it. */
  hasWork({ meter }: Cursor): boolean {
    meter.work(STRUCTURE_WORK);
    return this.#later.length > 0 || meter.isDue;
  }

  /** Does the deferred work. @yields as scanners do; also if the work before it makes a pause due */
  *workOff({ meter }: Cursor): Generator<number, void> {
    for (let parts = this.#later.shift(); parts; parts = this.#later.shift()) {
      meter.work(DEFERRED_WORK);
      yield* parts;
    }
    if (meter.isDue) yield meter.pause();
  }

  nest(kind: Nested['kind'], window: Cursor): void {
    if (this.nested.length < MAX_NESTED) this.nested.push({ kind, window });
  }

  /** Records that [start, end) of a window can be read as values. */
  payload(kind: PayloadKind, window: Cursor, start: number, end: number, label = ''): void {
    this.payloads?.add(kind, window, [{ start, end }], label);
  }

  has(name: BlockName): boolean {
    return this.#last.has(name);
  }

  /** Takes an orientation value from the file. Only the first counts, and only values from 1 to 8. */
  orient(value: number): void {
    if (this.#orientation === undefined && Number.isInteger(value) && value >= 1 && value <= 8) {
      this.#orientation = value as Orientation;
    }
  }

  /** Marks the file as incomplete; the first reason is kept. */
  fail(defect: string): void {
    this.#defect ??= defect;
  }

  get failed(): boolean {
    return this.#defect !== undefined;
  }

  finish(): FileFacts {
    const peak = this.peaks.content || this.peaks.display;
    if (peak > 0) this.colorimetry.peakLuminance = peak;
    const blocks: Block[] = this.#blocks.sort((a, b) => a.start - b.start || b.end - a.end);
    const facts: FileFacts = {
      format: this.format,
      width: this.width,
      height: this.height,
      orientation: this.#orientation ?? 1,
      ...(this.cleanAperture !== undefined && { cleanAperture: this.cleanAperture }),
      frames: this.frames,
      ...(this.pictures > 0 && { pictures: this.pictures }),
      progressive: this.progressive,
      bitDepth: this.bitDepth,
      channels: this.channels,
      hasAlpha: this.hasAlpha,
      colour: this.colour,
      blocks,
      colorimetry: this.colorimetry,
      ...(this.jpeg && { jpeg: this.jpeg }),
      ...(this.density && { density: this.density }),
      ...(this.chunks && { chunks: this.chunks }),
      ...(this.avif && { avif: this.avif }),
      ...(this.onCanvas && { onCanvas: true }),
      ...(this.assumedRange && { assumedRange: true }),
      complete: this.#defect === undefined,
    };
    return this.#defect === undefined ? facts : { ...facts, defect: this.#defect };
  }
}
