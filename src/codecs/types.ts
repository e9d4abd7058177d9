import type { Core } from '../core/instance.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';

export type {
  Chromaticities,
  CodePoints,
  Colorimetry,
  FileFacts,
  Orientation,
  ProfileLocation,
} from '../metadata/facts.ts';

export type OutputFormat = 'jpeg' | 'png' | 'webp';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Rows of interleaved 8-bit RGBA (not premultiplied), `rows` × image width × 4 bytes, starting at row `y`.
 * `pixels` begins on a 4-byte boundary of its buffer, so that a pixel can be moved as one 32-bit word. Valid
 * only until the next pull: the producer reuses the memory. A consumer may write into it.
 */
export interface Strip {
  readonly y: number;
  readonly rows: number;
  readonly pixels: Uint8Array;
}

/**
 * An image that can be read top to bottom, any number of times, without being held. Strips come in order,
 * without gap or overlap, and may have any height of 1 or more; no output depends on it. Two readings of one
 * raster must not be interleaved. Leaving the loop early is allowed and frees the reading.
 */
export interface Raster extends Size {
  /** A promise about every pixel: alpha is 255. */
  readonly opaque: boolean;
  /** A promise about every pixel: red, green and blue are equal. */
  readonly grey: boolean;
  /**
   * The core that whoever reads this works in (src/core/scratch.ts): where strips lie in one, it is this one,
   * and need not be copied. Memory is reserved there before the first strip is pulled, never between strips.
   * Absent: each step has a core of its own.
   */
  readonly core?: Core | undefined;
  /** @throws Fault 'decoding' when the data turns out corrupt, naming the row reached */
  strips(): Iterable<Strip>;
  /**
   * The same image narrowed to columns [x, x + width), where a source can read that for less than the whole.
   * 90° turns use it; absent means "read everything and cut".
   */
  columns?(x: number, width: number): Raster;
  /**
   * The same image narrowed to rows [y, y + height), where a source can read that for less than all above
   * them. Half turns use it; absent means "read from the top and cut".
   */
  rows?(y: number, height: number): Raster;
}

/** As a Strip, with 16 bits a sample in the host's byte order. */
export interface Strip16 {
  readonly y: number;
  readonly rows: number;
  readonly samples: Uint16Array;
}

/**
 * What a decoder opens. Beside its pixels it may offer what they were made from, which only the colour step
 * reads, in place of `strips`; steps make rasters without these members.
 */
export interface DecodedRaster extends Raster, Disposable {
  /** The same pixels before they were cut down to 8 bits. */
  readonly strips16?: (() => Iterable<Strip16>) | undefined;
  /**
   * Inks of a CMYK image: cyan, magenta, yellow, black (0 none to 255 full) where a strip has red, green,
   * blue, alpha.
   */
  readonly cmyk?: Raster | undefined;
}

/** What the caller needs of an image, so that a decoder may do less. */
export interface Want {
  /**
   * The smallest stored width (before orientation) that still serves; a decoder may shrink by whole factors
   * (JPEG: 2, 4, 8) as long as its raster is at least this wide. Absent: full size. The raster's own width
   * and height tell what was done: each is ceil(stored / factor).
   */
  readonly minWidth?: number;
  /** The colour step will read deep strips or inks where the raster has them. */
  readonly preferHighBitDepth?: boolean;
  /**
   * Bytes that steps and encoder will probably reserve in the raster's core, so that it lies in a memory that
   * has them.
   */
  readonly room?: number;
}

export interface Decoder {
  readonly format: InputFormat;
  /**
   * Peak bytes that reading this image will hold beyond its compressed bytes; pure, from the header alone.
   * Never less than what is really taken.
   */
  cost(facts: FileFacts, want: Want): number;
  /**
   * `bytes` is not copied where that can be avoided and must not change while the raster is in use.
   * @throws Fault 'decoding' | 'unsupported' | 'limit'
   */
  open(bytes: Uint8Array, facts: FileFacts, want: Want): Promise<DecodedRaster>;
}

export interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Encoder {
  readonly format: OutputFormat;
  readonly mediaType: `image/${OutputFormat}`;
  /** What a lossless file of the source holds tells how long the output will be. */
  readonly lossless: boolean;
  /** File name extension, without the dot. */
  readonly extension: string;
  /**
   * Peak bytes that encoding will hold, its output included.
   * @param outputBytes how long the output is taken to be, by encoders that can tell it from what they hold
   * beside it; absent, as predicted for a photograph
   */
  cost(size: Size, quality: number, outputBytes?: number): number;
  /**
   * Reads the source top to bottom, once or, where the content turns out to ask for another way, twice.
   * @param quality 30 to 100; ignored by lossless formats
   * @param room the most bytes the output may take
   * @param moreRoom asks for more room than that; returns the most it may take from then on. Absent: there is
   * none
   * @throws OutputRoomFault when the output would be larger, and whatever the source throws
   */
  encode(source: Raster, quality: number, room: number, moreRoom?: () => number): Promise<Encoded>;
}
