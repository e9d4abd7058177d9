import type { Cursor } from './cursor.ts';
import type { ByteRange } from './facts.ts';

/** The notation of a payload, which determines its reader. */
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

/** What a container says about a picture item. */
export interface PictureItem {
  /** In pixels; below 0 if not stated. */
  readonly width: number;
  readonly height: number;
  /** The contents of its decoder configuration (`av1C`) and of its colour information (`colr`). */
  readonly configuration: Cursor | undefined;
  readonly codePoints: Cursor | undefined;
}

/** The label of IPTC whose bytes are swapped in each word of four. */
export const SWAPPED_WORDS = 'swapped words';

/** A structure inside a file whose content can be read as values. */
export interface Payload {
  readonly kind: PayloadKind;
  /** Joined in order, these are the payload. */
  readonly windows: readonly Cursor[];
  /** What the payload itself does not state: the type of a PNG chunk or of a picture item. */
  readonly label: string;
  /** For a picture item. */
  readonly item: PictureItem | undefined;
}

/** Most payloads kept of one kind; no camera writes more than a dozen, and a PNG has a few hundred texts. */
const MAX_PAYLOADS = 256;
/** Most pieces kept of all payloads: 25 MB are 400 JPEG segments, or 100,000 sub-blocks of a GIF. */
const MAX_PIECES = 131_072;

/** Where a scan records payloads, for readers of values. A scan without it keeps none. */
export class Payloads {
  readonly found: Payload[] = [];
  /** Kinds with more payloads than are kept. */
  readonly cut = new Set<PayloadKind>();
  readonly #counts = new Map<PayloadKind, number>();
  #pieces = 0;

  /**
   * Records a payload at `ranges` of a window, in order.
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
