import type { Cursor } from './cursor.ts';
import type { ByteRange } from './facts.ts';

/** What a payload is written in, which decides who reads it. */
export type PayloadKind =
  | 'exif'
  | 'tiff_file'
  | 'xmp'
  | 'iptc'
  | 'comment'
  | 'png_text'
  | 'png_time'
  | 'c2pa'
  | 'mpf'
  | 'jfif_thumbnail'
  | 'jfxx_thumbnail'
  | 'photoshop_thumbnail'
  | 'item_thumbnail';

/** What a container says of a picture item. */
export interface PictureItem {
  /** In pixels; below 0 where it does not say. */
  readonly width: number;
  readonly height: number;
  /** The contents of its decoder's configuration (`av1C`) and of its colours (`colr`). */
  readonly configuration: Cursor | undefined;
  readonly codePoints: Cursor | undefined;
}

/** A structure inside a file whose content can be read as values. */
export interface Payload {
  readonly kind: PayloadKind;
  /** Joined in order, these are the payload. */
  readonly windows: readonly Cursor[];
  /** What the payload itself does not say: the type of a PNG chunk or of a picture item. */
  readonly label: string;
  /** Of a picture item. */
  readonly item: PictureItem | undefined;
}

/** Payloads kept of one kind; no camera writes more than a dozen, and a PNG holds some hundred texts. */
const MAX_PAYLOADS = 256;
/** Pieces kept of all payloads: 25 MB are 400 JPEG segments, or 100,000 sub-blocks of a GIF. */
const MAX_PIECES = 131_072;

/** Where a scan puts what it finds, for whoever reads values. A scan without one keeps none. */
export class Payloads {
  readonly found: Payload[] = [];
  /** Kinds of which there were more than are kept. */
  readonly cut = new Set<PayloadKind>();
  readonly #counts = new Map<PayloadKind, number>();
  #pieces = 0;

  /**
   * Notes a payload that lies at `ranges` of a window, in order.
   * @param label, item as in Payload
   */
  add(kind: PayloadKind, window: Cursor, ranges: readonly ByteRange[], label = '', item?: PictureItem): void {
    const count = this.#counts.get(kind) ?? 0;
    if (count >= MAX_PAYLOADS || this.#pieces + ranges.length > MAX_PIECES) {
      this.cut.add(kind);
      return;
    }
    this.#counts.set(kind, count + 1);
    this.#pieces += ranges.length;
    const windows = ranges.map(({ start, end }) => window.window(start, end));
    this.found.push({ kind, windows, label, item });
  }
}
