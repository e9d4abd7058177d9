import type { Core } from '../core/instance.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { ImageFile, OwnedBytes } from '../memory/owned_bytes.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';
import type { TimeSlice } from '../time_slice.ts';

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

/** Pixels that were worked on since the last pull. */
export type Work = number;

/**
 * An image that can be read top to bottom, any number of times, without being held. Strips come in order,
 * without gap or overlap, and may have any height of 1 or more; no output depends on it. Work comes in
 * their place where much was done while no rows were ready: whoever drives the reading may let others run
 * before it pulls again (src/time_slice.ts). Two readings of one
 * raster must not be interleaved. Leaving the loop early is allowed and frees the reading.
 */
export interface Raster extends Size {
  /** True of every pixel: alpha is 255. */
  readonly opaque: boolean;
  /** True of every pixel: red, green and blue are equal. */
  readonly grey: boolean;
  /**
   * The core in whose memory every strip lies, so that no step has to copy rows. Whoever reads the raster
   * works there, too (src/core/scratch.ts): memory is reserved before the first strip comes, never between
   * strips.
   */
  readonly core: Core;
  /** @throws Fault 'decoding' when the data turns out corrupt, naming the row reached */
  strips(): Iterable<Strip | Work>;
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
 * A raster that may also offer what its pixels were made from, which only the colour step reads, in place of
 * `strips`; steps make rasters without these members.
 */
export interface StoredRaster extends Raster {
  /** The same pixels before they were cut down to 8 bits. */
  readonly strips16?: (() => Iterable<Strip16 | Work>) | undefined;
  /** A CMYK image: cyan, magenta, yellow, black (0 none to 255 full) where a strip has red, green, blue, alpha. */
  readonly cmyk?: Raster | undefined;
}

/** What a decoder opens. */
export interface DecodedRaster extends StoredRaster, Disposable {}

/** What the caller needs of an image, so that a decoder may do less. */
export interface Want {
  /**
   * The smallest stored width (before orientation) that still serves; a decoder may shrink by whole factors
   * (JPEG: 2, 4, 8) as long as its raster is at least this wide. Absent: full size. The raster's own width
   * and height tell what was done: each is ceil(stored / factor).
   */
  readonly minWidth?: number;
  /** The colour step will read 16-bit or CMYK strips where the raster has them. */
  readonly preferHighBitDepth?: boolean;
  /**
   * Bytes that steps and encoder will probably reserve in the raster's core, so that it lies in a memory that
   * has them.
   */
  readonly reserveBytes?: number;
}

export interface Decoder {
  readonly format: InputFormat;
  /**
   * Peak bytes that reading this image will hold beyond its compressed bytes; pure, from the header alone.
   * Never less than what is really taken.
   */
  cost(facts: FileFacts, want: Want): MemoryCost;
  /**
   * The file is not copied where that can be avoided and must not change while the raster is in use.
   * @throws Fault 'decoding' | 'unsupported' | 'limit'
   */
  open(file: ImageFile, facts: FileFacts, want: Want): Promise<DecodedRaster>;
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
  cost(size: Size, quality: number, outputBytes?: number): MemoryCost;
  /**
   * Reads the source top to bottom, once or, where the content turns out to ask for another way, twice.
   * @param quality 30 to 100; ignored by lossless formats
   * @param maxOutputBytes the most bytes the output may take
   * @param raiseLimit asked where that is not enough; returns the most it may take from then on. Absent: no
   * more
   * @param slice lets others run now and then; absent, nobody waits
   * @throws OutputLimitFault when the output would be larger, and whatever the source throws
   */
  encode(
    source: Raster,
    quality: number,
    maxOutputBytes: number,
    raiseLimit?: () => number,
    slice?: TimeSlice,
  ): Promise<OwnedBytes>;
}
