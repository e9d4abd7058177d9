import type { Av1Columns } from '../core/av1/columns.ts';
import type { BlockName, InputFormat } from '../vocabulary/vocabulary.ts';

export type { BlockName, InputFormat };

/** EXIF orientation (TIFF 6.0 tag 274): 1 upright … 8; 5 to 8 swap width and height. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** One metadata block: bytes [start, end) of the file. Blocks may nest (a `gps` lies inside its `exif`). */
export interface Block {
  readonly name: BlockName;
  readonly start: number;
  readonly end: number;
}

/** How colour is stored, as the codecs' messages and the colour step need to know. */
export type ColourModel = 'grey' | 'rgb' | 'palette' | 'ycbcr' | 'cmyk' | 'ycck' | 'lab' | 'unknown';

/** Bytes [start, end) of the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a picture in whole pixels, origin top left. */
export interface PixelArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where an ICC profile lies. Joined in order, the pieces are the profile, or a zlib stream (RFC 1950) of it.
 * There are none if some are missing or contradict each other.
 */
export interface ProfileLocation {
  readonly pieces: readonly ByteRange[];
  readonly encoding: 'raw' | 'zlib';
}

/** Coding-independent code points, ITU-T H.273: the numbers of its tables 2, 3 and 4. */
export interface CodePoints {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** CIE 1931 x, y of the white point and of the three primaries, as in PNG cHRM. */
export interface Chromaticities {
  readonly white: readonly [x: number, y: number];
  readonly red: readonly [x: number, y: number];
  readonly green: readonly [x: number, y: number];
  readonly blue: readonly [x: number, y: number];
}

/**
 * Everything a file says about the meaning of its colours. Members are absent if the file says nothing, or
 * nothing valid.
 */
export interface Colorimetry {
  /** The one profile that a reader would apply. */
  readonly icc?: ProfileLocation;
  /** PNG cICP, AVIF `colr` nclx. */
  readonly codePoints?: CodePoints;
  /**
   * For high dynamic range: the peak luminance in candelas per square metre. MaxCLL (AVIF `clli`, PNG cLLI),
   * else the peak of the mastering display (`mdcv`, mDCV); more than 0.
   */
  readonly peakLuminance?: number;
  /** PNG gAMA: the exponent as stored, e.g. 0.45455. */
  readonly gamma?: number | undefined;
  /** PNG cHRM. */
  readonly chromaticities?: Chromaticities;
  /** PNG: the type of a chunk about colours that was ignored, since its checksum is wrong. */
  readonly damaged?: string;
  /** PNG sRGB: the rendering intent, 0 to 3; its presence says that the samples are sRGB. */
  readonly srgbIntent?: number | undefined;
  /** Exif tag 40961 ColorSpace: 1 sRGB, 65535 uncalibrated (2 is Adobe RGB in some cameras). */
  readonly exifColorSpace?: number;
  /** Exif Interoperability index, e.g. "R98" (sRGB) or "R03" (Adobe RGB, DCF optional colour space). */
  readonly interopIndex?: string;
}

/** The layout of a JPEG's samples, which determines the memory of decoding. */
export interface JpegFacts {
  /** Horizontal and vertical sampling factors of each component, 1 to 4 each. */
  readonly sampling: readonly (readonly [horizontal: number, vertical: number])[];
  /** Scans in the file. */
  readonly scans: number;
}

/**
 * How much of the picture a JPEG kept, and in how many bytes: used to estimate its length if it were stored
 * without loss.
 */
export interface JpegDensity {
  /** Entropy-coded bytes of all scans. */
  readonly scanBytes: number;
  /** Mean of the 64 quantisation steps of the first component, T.81 B.2.4.1; more than 0. */
  readonly meanStep: number;
}

/** How the first page of a TIFF is divided and compressed, which determines the memory of decoding. */
export interface TiffChunks {
  /** Pixels of a strip or tile; a strip is as wide as the page. */
  readonly width: number;
  readonly height: number;
  /** Compression tag, TIFF 6.0 and its supplements. */
  readonly compression: number;
  /** Whether each sample is stored in planes of its own. */
  readonly planar: boolean;
  /**
   * Stored bytes of the largest chunk, including the JPEG tables that it shares; the file's length if not
   * stated.
   */
  readonly largestBytes: number;
}

/** Size and samples of an AV1 picture. */
export interface Av1Format {
  readonly width: number;
  readonly height: number;
  /** 8, 10 or 12. */
  readonly depth: number;
  readonly monochrome: boolean;
  /** 1 if chroma has half the columns (subX) or half the rows (subY). */
  readonly subX: number;
  readonly subY: number;
}

/**
 * How an AV1 picture is coded, which determines the memory of decoding. Its size is that of the largest frame
 * of a tile.
 */
export interface Av1Coding extends Av1Format {
  /** Tiles of a grid; 1 and 1 if it is not a grid. */
  readonly columns: number;
  readonly rows: number;
  /** Most bytes reserved to decode one tile; 0 if that can't be determined, and then none will be decoded. */
  readonly decoderBytes: number;
  /** Bytes of the file that are copied before decoding: of joined extents, or of a row of tiles. */
  readonly copiedBytes: number;
  /** How columns of a picture without a grid can be read separately; absent if they can't be. */
  readonly bands?: Av1Columns;
}

/** The pictures of an AVIF. */
export interface AvifPictures {
  readonly colour: Av1Coding;
  readonly alpha?: Av1Coding;
  /**
   * Present if another decoder reads both colour and alpha: neither is a grid, and the shown layer of one is
   * predicted from lower layers. Absent if our own decoder reads them.
   */
  readonly predicted?: PredictedLayers;
}

/** What the other decoder must read. */
export interface PredictedLayers {
  /** Of the picture that has the most. */
  readonly frames: number;
  /** Of all bitstreams together. */
  readonly bytes: number;
}

/** What a file says about itself, read from its bytes without decoding a pixel. */
export interface FileFacts {
  readonly format: InputFormat;
  /** As stored, before orientation, in pixels; 0 if the file ends before its header states it. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /**
   * The shown part of the upright picture, if it is less than all of it; null if the file declares one that
   * leaves nothing or can't be computed, and all is shown. Absent: all.
   */
  readonly cleanAperture?: PixelArea | null;
  /** Frames or pages: 1 for a still image. */
  readonly frames: number;
  /**
   * Number of different pictures, if it is not the number of frames: a TIFF may contain smaller versions of
   * its pages, a PNG a picture besides its animation.
   */
  readonly pictures?: number;
  /** JPEG: progressive or multi-scan; PNG and GIF: interlaced. */
  readonly progressive: boolean;
  /** Bits per sample. */
  readonly bitDepth: number;
  /** Samples per pixel as stored, alpha included (a palette counts as 1). */
  readonly channels: number;
  readonly hasAlpha: boolean;
  readonly colour: ColourModel;
  /** Sorted by start, then by end (longest first); every block lies inside the file. */
  readonly blocks: readonly Block[];
  /** What the colour step needs; an empty object if the file says nothing about its colours. */
  readonly colorimetry?: Colorimetry;
  /** JPEG with a valid frame header. */
  readonly jpeg?: JpegFacts;
  /** JPEG with the quantisation table of its first component. */
  readonly density?: JpegDensity;
  /** TIFF whose first page states where its data lie. */
  readonly chunks?: TiffChunks;
  /** AVIF whose picture's bitstream has a sequence header. */
  readonly avif?: AvifPictures;
  /**
   * TIFF of signed samples, real numbers or 32 bits and more that does not state which values are black and
   * white.
   */
  readonly assumedRange?: true;
  /**
   * WebP: the picture is a frame of an animation, possibly its only one, and may cover only part of the
   * canvas.
   */
  readonly onCanvas?: true;
  /** The end of the container was reached, and everything it declares lies inside the file. */
  readonly complete: boolean;
  /** If not complete: what is missing, as a phrase for the sender ("the scan ends before EOI"). */
  readonly defect?: string;
}
