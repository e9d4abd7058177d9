import type { Core } from '../core/instance.ts';
import type { ImageFile, OwnedBytes } from '../memory/image_file.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import type { Work } from '../scheduling/work.ts';

export type {
  Chromaticities,
  CodePoints,
  Colorimetry,
  FileFacts,
  Orientation,
  ProfileLocation,
} from '../metadata/facts.ts';
export type { Work } from '../scheduling/work.ts';

export type OutputFormat = 'jpeg' | 'png' | 'webp';

/**
 * How many chroma samples are written. `whole`: as many as luma; `halved`: half as many in both directions;
 * `halved-again`: half, as in the source, unless halving them anew would lose too much.
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
 * without gap or overlap, and may have any height of 1 or more; no output depends on it. Where much was done
 * before rows were ready, work comes instead of a strip, so that the consumer can give way to other jobs
 * before it pulls again (time_slice.ts). Two reads of one raster must not be interleaved. Leaving the
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
   * The same image narrowed to columns [x, x + width), if the source can read these for less than the whole.
   * Rotation by 90° uses it. Absent: everything is read and cut.
   */
  columns?(x: number, width: number): Raster;
  /**
   * The same image narrowed to rows [y, y + height), if the source can read these for less than all above
   * them. Rotation by 180° uses it. Absent: rows are read from the top and cut.
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
 * A raster that may also offer the samples its pixels were made from. Only the colour step reads them,
 * instead of `strips`; rasters of steps do not have these members.
 */
export interface StoredRaster extends Raster {
  /** The narrowed raster offers everything that the whole one does. */
  columns?(x: number, width: number): StoredRaster;
  /** The same pixels before they were cut down to 8 bits. */
  readonly strips16?: (() => Iterable<Strip16 | Work>) | undefined;
  /**
   * A CMYK image: a strip has cyan, magenta, yellow, black (0 none to 255 full) in the places of red, green,
   * blue, alpha.
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

/** What the caller needs of an image; a decoder need not do more. */
export interface Want {
  /**
   * The smallest stored width (before orientation) that is still enough. A decoder may shrink by whole
   * factors (JPEG: 2, 4, 8) as long as its raster is at least this wide. Absent: full size. The raster's own
   * size shows what was done: each side is ceil(stored / factor).
   */
  readonly minWidth?: number;
  /**
   * The shrunk picture will be resized further. The decoder may then choose other factors (JPEG: 8/5 and 8/3,
   * too), and keep low frequencies instead of averages of pixels. It may leave somewhat more than `minWidth`.
   */
  readonly forResizing?: boolean;
  /**
   * No step will read pixels: components are resized separately, and frequencies that are high across and
   * down at once may be left out (JPEG).
   */
  readonly componentsOnly?: boolean;
  /** The colour step will read 16-bit or CMYK strips if the raster has them. */
  readonly preferHighBitDepth?: boolean;
  /** The picture will be read by these columns, in this order, perhaps repeatedly, as a quarter turn does. */
  readonly columnBands?: readonly ColumnBand[];
  /**
   * Bytes that steps and encoder will probably reserve in the raster's core, which is created with this much
   * room to spare.
   */
  readonly reserveBytes?: number;
}

/** What a read takes and allows, measured on the most expensive files of a format that were found. */
export interface Reading {
  /** Nanoseconds of CPU to decode a stored pixel at full size, for the time slices of jobs. */
  readonly pixelTime: number;
  /**
   * Nanoseconds of a pixel and of a byte of this file, if both together predict more. Absent: `pixelTime`
   * applies.
   */
  times?(facts: FileFacts): { readonly pixel: number; readonly byte: number } | undefined;
  /** Bytes per pixel of a picture full of detail. Absent: a file's length tells nothing about detail. */
  readonly denseFrom?: number;
  /** Work of a pixel, relative to a PNG's. */
  pixelWork(facts: FileFacts): Work;
  /** Work of a byte of the file. Absent: all work is counted by pixels. */
  readonly byteWork?: Work;
  /** The most work of a pixel including its bytes. Absent: no such bound. */
  readonly mostPixelWork?: Work;
  /** All bands of a turned picture together cost about one read. Absent: each is a read of its own. */
  readonly cheapBands?: boolean;
  /** No file of this format has to be read to its end for its first rows. */
  readonly rowByRow?: boolean;
  /** A file keeps every pixel as it was, so its length predicts that of another lossless file. */
  readonly lossless?: boolean;
  /** No pixel of a plain picture takes longer than these times say. */
  readonly steady?: boolean;
  /** Whether there are at most half as many chroma as luma samples in both directions. Absent: never. */
  halvesChroma?(facts: FileFacts): boolean;
  /** Whether the header alone guarantees that all pixels will be opaque. Absent: it never does. */
  surelyOpaque?(facts: FileFacts): boolean;
}

export interface Decoder {
  readonly format: InputFormat;
  readonly reading: Reading;
  /**
   * Peak bytes that reading this image will hold in addition to its compressed bytes; pure, from the header
   * alone. Never less than what is allocated.
   */
  cost(facts: FileFacts, want: Want): MemoryCost;
  /**
   * The work of one read in addition to its rows and pixels, and what most of it is for, in words; pure, from
   * the header alone. Absent: none.
   */
  work?(facts: FileFacts): { readonly work: Work; readonly parts: string };
  /**
   * Opens the file. It is not copied if that can be avoided, and must not change while the raster is in use.
   * @param slice lets other jobs run. Absent: opening does not pause
   * @throws Fault 'decoding' | 'unsupported' | 'limit'
   */
  open(file: ImageFile, facts: FileFacts, want: Want, slice?: TimeSlice): Promise<DecodedRaster>;
}

/** The part of a file that is written without scaling. */
export interface WrittenSource {
  readonly facts: FileFacts;
  /** Length of the file; if it is `lossless`, it keeps every pixel as it was. */
  readonly bytes: number;
  readonly lossless: boolean;
  /** Pixels of the output, and of the source. */
  readonly pixels: number;
  readonly sourcePixels: number;
  /** The grayscale step is applied. */
  readonly grey: boolean;
}

export interface Encoder {
  readonly format: OutputFormat;
  readonly mediaType: `image/${OutputFormat}`;
  /** How many times a source is read, at most. */
  readonly reads: number;
  /** Nanoseconds of CPU to encode a pixel, in each of these reads. */
  readonly pixelTime: number;
  /** The same for a picture without any detail, and for one full of it. Absent: `pixelTime` for all. */
  readonly times?: { readonly plain: number; readonly dense: number };
  /** A file keeps every pixel as it is, whatever the quality. */
  readonly lossless?: boolean;
  /** File name extension, without the dot. */
  readonly extension: string;
  /**
   * Peak bytes that encoding will hold, including its output.
   * @param size with `opaque`: the source is known to be opaque; absent: it may have alpha. And with the
   * chroma that `encode` will get
   * @param outputBytes assumed length of the output, for encoders that state it separately from what else
   * they hold; absent: as predicted for a photograph
   * @throws Fault 'limit' for a size that the format cannot hold
   */
  cost(
    size: Size & { readonly opaque?: boolean; readonly chroma?: Chroma | undefined },
    quality: number,
    outputBytes?: number,
  ): MemoryCost;
  /**
   * The most bytes that the output takes if nothing is scaled; undefined if the source does not tell. Absent:
   * no source does.
   */
  lengthOf?(source: WrittenSource): number | undefined;
  /**
   * Reads the source top to bottom: once, or twice if statistics come first or the content turns out to need
   * another layout.
   * @param quality 30 to 100; ignored by lossless formats
   * @param maxOutputBytes the most bytes the output may take
   * @param raiseLimit called if that is not enough; returns the new limit. Absent: the limit stays
   * @param slice lets other jobs run between strips. Absent: encoding does not pause
   * @param chroma if the format has a choice. Absent: by quality and content
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
