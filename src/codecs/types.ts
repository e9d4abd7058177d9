import type { Core } from '../core/instance.ts';
import type { ImageFile, OwnedBytes } from '../memory/image_file.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';
import type { TimeSlice } from '../time_slice.ts';
import type { Work } from '../work.ts';

export type {
  Chromaticities,
  CodePoints,
  Colorimetry,
  FileFacts,
  Orientation,
  ProfileLocation,
} from '../metadata/facts.ts';
export type { Work } from '../work.ts';

export type OutputFormat = 'jpeg' | 'png' | 'webp';

/**
 * How many chroma samples are written: as many as luma; half as many in both directions; half as the source
 * had, unless too much would be lost by halving them anew.
 */
export type Chroma = 'whole' | 'halved' | 'halved-again';

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
 * without gap or overlap, and may have any height of 1 or more; no output depends on it. Work comes in
 * their place where much was done before rows were ready, so that the consumer can give way to other jobs
 * before it pulls again (src/time_slice.ts). Two reads of one raster must not be interleaved. Leaving the
 * loop early is allowed and frees the memory of the read.
 */
export interface Raster extends Size {
  /** True of every pixel: alpha is 255. */
  readonly opaque: boolean;
  /** True of every pixel: red, green and blue are equal. */
  readonly grey: boolean;
  /**
   * The core in whose memory every strip lies, so that no step has to copy rows. Consumers reserve their
   * memory there, too (src/core/scratch.ts): before the first strip, never between strips.
   */
  readonly core: Core;
  /** @throws Fault 'decoding' when the data turns out corrupt, naming the row reached */
  strips(): Iterable<Strip | Work>;
  /**
   * The same image narrowed to columns [x, x + width), where a source can read that for less than the whole.
   * Rotation by 90° uses it; absent means "read everything and cut".
   */
  columns?(x: number, width: number): Raster;
  /**
   * The same image narrowed to rows [y, y + height), where a source can read that for less than all above
   * them. Rotation by 180° uses it; absent means "read from the top and cut".
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
 * A raster that may also offer the samples its pixels were made from. Only the colour step reads them, in
 * place of `strips`; the rasters of steps do not have these members.
 */
export interface StoredRaster extends Raster {
  /** What it gives offers all that the whole does. */
  columns?(x: number, width: number): StoredRaster;
  /** The same pixels before they were cut down to 8 bits. */
  readonly strips16?: (() => Iterable<Strip16 | Work>) | undefined;
  /**
   * A CMYK image: cyan, magenta, yellow, black (0 none to 255 full) where a strip has red, green, blue,
   * alpha.
   */
  readonly cmyk?: Raster | undefined;
}

/** What a decoder opens. */
export interface DecodedRaster extends StoredRaster, Disposable {}

/** Stored columns [x, x + width) that are read together. */
export interface ColumnBand {
  readonly x: number;
  readonly width: number;
}

/** What the caller needs of an image: a decoder need not do more. */
export interface Want {
  /**
   * The smallest stored width (before orientation) that still serves; a decoder may shrink by whole factors
   * (JPEG: 2, 4, 8) as long as its raster is at least this wide. Absent: full size. The raster's own width
   * and height tell what was done: each is ceil(stored / factor).
   */
  readonly minWidth?: number;
  /**
   * What is shrunk will be resized further: other factors may then be chosen (JPEG: 8/5 and 8/3, too), and
   * low frequencies are kept rather than averages of pixels. May leave some more than `minWidth`.
   */
  readonly forResizing?: boolean;
  /**
   * No step will read pixels: components are resized each by itself, and frequencies that are high across
   * and down at once may be left out (JPEG).
   */
  readonly componentsOnly?: boolean;
  /** The colour step will read 16-bit or CMYK strips where the raster has them. */
  readonly preferHighBitDepth?: boolean;
  /**
   * The picture will be read by these columns, in this order, perhaps again and again: as a quarter turn
   * does.
   */
  readonly columnBands?: readonly ColumnBand[];
  /**
   * Bytes that steps and encoder will probably reserve in the raster's core: it is created with so many
   * spare.
   */
  readonly reserveBytes?: number;
}

/** What a reading takes and allows, measured on the most expensive files of a format that were found. */
export interface Reading {
  /** Nanoseconds of CPU to decode a stored pixel at full size, for the time slices of jobs. */
  readonly pixelTime: number;
  /** Those of a pixel and of a byte of this file, where both together tell more. Absent: `pixelTime` does. */
  times?(facts: FileFacts): { readonly pixel: number; readonly byte: number } | undefined;
  /** Bytes a pixel of a picture that is full of detail. Absent: a file's length tells nothing of it. */
  readonly denseFrom?: number;
  /** Work of a pixel: relative to one of a PNG. */
  pixelWork(facts: FileFacts): Work;
  /** Work of a byte of the file. Absent: its pixels tell all of it. */
  readonly byteWork?: Work;
  /** Work of a pixel with its bytes, at most. Absent: no such bound. */
  readonly mostPixelWork?: Work;
  /** All bands of a turned picture together cost about one reading. Absent: each is a reading of its own. */
  readonly cheapBands?: boolean;
  /** No file has to be read to its end for its first rows. */
  readonly rowByRow?: boolean;
  /** A file keeps every pixel as it was: its length tells that of another lossless file. */
  readonly lossless?: boolean;
  /** Whether the header alone tells that all pixels will be opaque. Absent: it never does. */
  surelyOpaque?(facts: FileFacts): boolean;
}

export interface Decoder {
  readonly format: InputFormat;
  readonly reading: Reading;
  /**
   * Peak bytes that reading this image will hold beyond its compressed bytes; pure, from the header alone.
   * Never less than what is allocated.
   */
  cost(facts: FileFacts, want: Want): MemoryCost;
  /**
   * Work of one reading beside that of its rows and pixels, and what most of it is for in words; pure, from
   * the header alone. Absent: none.
   */
  work?(facts: FileFacts): { readonly work: Work; readonly parts: string };
  /**
   * The file is not copied where that can be avoided and must not change while the raster is in use.
   * @param slice lets other jobs run. Absent: opening does not pause
   * @throws Fault 'decoding' | 'unsupported' | 'limit'
   */
  open(file: ImageFile, facts: FileFacts, want: Want, slice?: TimeSlice): Promise<DecodedRaster>;
}

/** What is written of a file, unscaled. */
export interface WrittenSource {
  readonly facts: FileFacts;
  /** Length of the file, which keeps every pixel as it was where it is `lossless`. */
  readonly bytes: number;
  readonly lossless: boolean;
  /** Pixels of the output, of those of the source. */
  readonly pixels: number;
  readonly of: number;
  /** The grayscale step is applied. */
  readonly grey: boolean;
}

export interface Encoder {
  readonly format: OutputFormat;
  readonly mediaType: `image/${OutputFormat}`;
  /** How often a source is read, at most. */
  readonly reads: number;
  /** Nanoseconds of CPU to encode a pixel, by each of these readings. */
  readonly pixelTime: number;
  /** Those of a picture without any detail, and of one that is full of it. Absent: `pixelTime` for all. */
  readonly times?: { readonly plain: number; readonly dense: number };
  /** A file keeps every pixel as it is, whatever the quality. */
  readonly lossless?: boolean;
  /** File name extension, without the dot. */
  readonly extension: string;
  /**
   * Peak bytes that encoding will hold, its output included.
   * @param size with whether the source is known to be opaque; absent: it may have alpha. And with the chroma
   * that `encode` will be told
   * @param outputBytes assumed length of the output, for encoders that state it apart from what they hold
   * beside it; absent: as predicted for a photograph
   * @throws Fault 'limit' for a size that the format cannot hold
   */
  cost(
    size: Size & { readonly opaque?: boolean; readonly chroma?: Chroma | undefined },
    quality: number,
    outputBytes?: number,
  ): MemoryCost;
  /**
   * The most bytes that the output takes where nothing is scaled; undefined where the source does not tell.
   * Absent: no source does.
   */
  lengthOf?(source: WrittenSource): number | undefined;
  /**
   * Reads the source top to bottom: once, or twice where statistics come first or the content turns out to
   * need another layout.
   * @param quality 30 to 100; ignored by lossless formats
   * @param maxOutputBytes the most bytes the output may take
   * @param raiseLimit called where that is not enough; returns the limit from then on. Absent: the limit
   * stays
   * @param slice lets other jobs run between strips. Absent: encoding does not pause
   * @param chroma where the format has a choice. Absent: by quality and content
   * @throws OutputLimitFault when the output would be larger, and whatever the source throws
   */
  encode(
    source: Raster,
    quality: number,
    maxOutputBytes: number,
    raiseLimit?: () => number,
    slice?: TimeSlice,
    chroma?: Chroma,
  ): Promise<OwnedBytes>;
}
