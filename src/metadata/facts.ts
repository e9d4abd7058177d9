/** The containers this service reads. */
export type InputFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif';

/** EXIF orientation (TIFF 6.0 tag 274): 1 upright … 8; 5 to 8 swap width and height. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Names of metadata blocks, as reported to callers. */
export type BlockName =
  | 'exif'
  | 'gps'
  | 'iptc'
  | 'photoshop'
  | 'xmp'
  | 'icc'
  | 'comment'
  | 'text'
  | 'thumbnail'
  | 'mpf'
  | 'c2pa'
  | 'jumbf'
  | 'makernote'
  | 'timestamp'
  | 'trailer'
  | 'gainmap'
  | 'motion_photo';

/** One metadata block: bytes [start, end) of the file. Blocks may nest (a `gps` lies inside its `exif`). */
export interface Block {
  readonly name: BlockName;
  readonly start: number;
  readonly end: number;
}

/** How colour is stored; what the codecs' messages and the colour step need to know. */
export type ColourModel = 'grey' | 'rgb' | 'palette' | 'ycbcr' | 'cmyk' | 'ycck' | 'lab' | 'unknown';

/** What a file says of itself, read from its bytes without decoding a pixel. */
export interface FileFacts {
  readonly format: InputFormat;
  /** As stored, before orientation, in pixels; 0 when the file ends before its header says. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Frames or pages: 1 for a still image. */
  readonly frames: number;
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
  /** The container's end was reached and everything it declares lies inside the file. */
  readonly complete: boolean;
  /** When not complete: what is missing, in words for the sender ("the scan ends before EOI"). */
  readonly defect?: string;
}
