import type { Av1Columns } from '../core/av1/columns.ts';
import type { BlockName, InputFormat } from '../vocabulary.ts';

export type { BlockName, InputFormat };

/** EXIF orientation (TIFF 6.0 tag 274): 1 upright … 8; 5 to 8 swap width and height. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** One metadata block: bytes [start, end) of the file. Blocks may nest (a `gps` lies inside its `exif`). */
export interface Block {
  readonly name: BlockName;
  readonly start: number;
  readonly end: number;
}

/** How colour is stored; what the codecs' messages and the colour step need to know. */
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
 * Where one ICC profile lies. Joined in order, the pieces are the profile, or a zlib stream (RFC 1950) of it.
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

/** CIE 1931 x, y of white and of the three primaries, as PNG cHRM gives them. */
export interface Chromaticities {
  readonly white: readonly [x: number, y: number];
  readonly red: readonly [x: number, y: number];
  readonly green: readonly [x: number, y: number];
  readonly blue: readonly [x: number, y: number];
}

/**
 * Everything a file says about the meaning of its colours. Members are absent where the file says nothing, or
 * nothing valid.
 */
export interface Colorimetry {
  /** The one profile a reader would apply; absent when its pieces are missing or contradict each other. */
  readonly icc?: ProfileLocation;
  /** PNG cICP, AVIF `colr` nclx. */
  readonly codePoints?: CodePoints;
  /**
   * Of high dynamic range: the brightest light in candelas a square metre. MaxCLL (AVIF `clli`, PNG cLLI),
   * else the peak of the display it was mastered on (`mdcv`, mDCV); more than 0.
   */
  readonly peakLuminance?: number;
  /** PNG gAMA: the exponent as stored, e.g. 0.45455. */
  readonly gamma?: number | undefined;
  /** PNG cHRM. */
  readonly chromaticities?: Chromaticities;
  /** PNG sRGB: the rendering intent, 0 to 3; its presence says that the samples are sRGB. */
  readonly srgbIntent?: number | undefined;
  /** Exif tag 40961 ColorSpace: 1 sRGB, 65535 uncalibrated (2 is Adobe RGB in some cameras). */
  readonly exifColorSpace?: number;
  /** Exif Interoperability index, e.g. "R98" (sRGB) or "R03" (Adobe RGB, DCF optional colour space). */
  readonly interopIndex?: string;
}

/** How a JPEG's samples are laid out: what decoding it holds depends on it. */
export interface JpegFacts {
  /** Horizontal and vertical sampling factors of each component, 1 to 4 each. */
  readonly sampling: readonly (readonly [horizontal: number, vertical: number])[];
  /** Scans in the file. */
  readonly scans: number;
}

/**
 * How much of the picture a JPEG kept, and in how many bytes: how long it would be without loss depends on
 * it.
 */
export interface JpegDensity {
  /** Entropy-coded bytes of all scans. */
  readonly scanBytes: number;
  /** Mean of the 64 quantisation steps of the first component, T.81 B.2.4.1; more than 0. */
  readonly meanStep: number;
}

/** How the first page of a TIFF is cut and packed: what decoding it holds depends on it. */
export interface TiffChunks {
  /** Pixels of a strip or tile; a strip is as wide as the page. */
  readonly width: number;
  readonly height: number;
  /** Compression tag, TIFF 6.0 and its supplements. */
  readonly compression: number;
  /** Each sample in planes of its own. */
  readonly planar: boolean;
  /**
   * Stored bytes of the largest chunk, with the JPEG tables that it shares; the file's length where none is
   * given.
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
  /** 1 where chroma has half of the columns, of the rows. */
  readonly subX: number;
  readonly subY: number;
}

/**
 * How an AV1 picture is coded: what decoding it holds depends on it. Its size is that of the largest frame of
 * a tile.
 */
export interface Av1Coding extends Av1Format {
  /** Tiles of a grid; 1 and 1 where it is none. */
  readonly columns: number;
  readonly rows: number;
  /** Bytes that decoding one tile reserves, at most; 0 where that can't be told, and none will be decoded. */
  readonly decoderBytes: number;
  /** Bytes of the file that are copied before they are decoded: of joined extents, or of a row of tiles. */
  readonly copiedBytes: number;
  /** How columns of a picture that is no grid are read by themselves; absent where they can't be. */
  readonly bands?: Av1Columns;
}

/** The pictures of an AVIF. */
export interface AvifPictures {
  readonly colour: Av1Coding;
  readonly alpha?: Av1Coding;
  /**
   * Of colour or alpha, neither being a grid, the shown layer is predicted from lower ones: another decoder
   * reads both. Absent where our own does.
   */
  readonly predicted?: PredictedLayers;
}

/** What another decoder reads. */
export interface PredictedLayers {
  /** Of the picture with the most. */
  readonly frames: number;
  /** Of all bitstreams. */
  readonly bytes: number;
}

/** What a file says of itself, read from its bytes without decoding a pixel. */
export interface FileFacts {
  readonly format: InputFormat;
  /** As stored, before orientation, in pixels; 0 when the file ends before its header says. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /**
   * The part of the upright picture that is shown, less than all of it; null where the file declares one that
   * leaves nothing or can't be computed, and all is shown. Absent: all.
   */
  readonly cleanAperture?: PixelArea | null;
  /** Frames or pages: 1 for a still image. */
  readonly frames: number;
  /**
   * Pictures that show something of their own, where these are not the frames: a TIFF may hold smaller
   * versions of its pages, a PNG a picture beside its animation.
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
  readonly hasGps: boolean;
  /** What the colour step needs to know; an empty object when the file says nothing about its colours. */
  readonly colorimetry?: Colorimetry;
  /** JPEG, when its frame header makes sense. */
  readonly jpeg?: JpegFacts;
  /** JPEG, when its first component's quantisation table is there. */
  readonly density?: JpegDensity;
  /** TIFF, when its first page says where its data lie. */
  readonly chunks?: TiffChunks;
  /** AVIF, when its picture's bitstream has a sequence header. */
  readonly avif?: AvifPictures;
  /**
   * WebP: the picture is an animation's frame, be it the only one, which may leave some of its canvas free.
   */
  readonly onCanvas?: true;
  /** The container's end was reached and everything it declares lies inside the file. */
  readonly complete: boolean;
  /** When not complete: what is missing, as the sender is told ("the scan ends before EOI"). */
  readonly defect?: string;
}
