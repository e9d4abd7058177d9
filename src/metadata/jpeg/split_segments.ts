import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { ByteRange } from '../facts.ts';
import { joinWindows, MAX_JOINED } from '../join.ts';
import { scanResources } from '../photoshop.ts';
import { scanExif } from '../tiff/exif.ts';
import { tiffHeader } from '../tiff/ifd.ts';

/** Most segments of one structure; 25 MB hold 400 full ones. */
const MAX_PIECES = 1024;

/** How segments of these structures begin: CIPA DC-008 §4.7.2, Photoshop File Formats Specification. */
const APP1_EXIF = 'Exif\0';
const APP13_PHOTOSHOP = 'Photoshop 3.0\0';

type Kind = 'exif' | 'photoshop';

/**
 * Exif and Photoshop resources of one JPEG image. What is too long for one segment continues in the next one
 * of the same name, cut at any byte; exiftool joins both. Only a structure in pieces is copied.
 */
export class SplitSegments {
  readonly #cursor: Cursor;
  readonly #draft: FactsDraft;
  /** Whether what is taken from now on describes the picture. */
  governs: boolean;
  #kind: Kind | null = null;
  #pieces: ByteRange[] = [];

  /** @param governs whether the image is the decoded one, whose Exif describes the picture */
  constructor(cursor: Cursor, draft: FactsDraft, governs: boolean) {
    this.#cursor = cursor;
    this.#draft = draft;
    this.governs = governs;
  }

  /** Takes an APPn segment with data [at, end); returns its block name, or null if it is neither. */
  take(marker: number, at: number, end: number): Kind | null {
    const kind = this.#kindOf(marker, at, end);
    if (kind === null) {
      this.finish();
      return null;
    }
    // an even prefix: "Exif" and two zeros
    const start = kind === 'exif' ? at + APP1_EXIF.length + 1 : at + APP13_PHOTOSHOP.length;
    const begins = kind === 'exif' && tiffHeader(this.#cursor.window(start, Math.min(end, start + 8)));
    if (begins || kind !== this.#kind) {
      this.finish();
      this.#kind = kind;
    }
    if (this.#pieces.length < MAX_PIECES) this.#pieces.push({ start, end });
    else this.#cutShort(kind);
    return kind;
  }

  /** Scans what was collected, since nothing of it follows. */
  finish(): void {
    const kind = this.#kind;
    const pieces = this.#pieces;
    const [first] = pieces;
    this.#kind = null;
    if (kind === null || !first) return;
    this.#pieces = [];
    const windows = pieces.map(({ start, end }) => this.#cursor.window(start, end));
    const joined = joinWindows(windows, MAX_JOINED, { start: first.start, end: pieces.at(-1)!.end });
    if (joined === null) return;
    const { window, cut } = joined;
    if (cut) this.#cutShort(kind);
    if (kind === 'exif') scanExif(window, this.#draft, { governs: this.governs });
    else scanResources(window, 0, window.length, this.#draft);
  }

  #kindOf(marker: number, at: number, end: number): Kind | null {
    const is = (text: string) => at + text.length <= end && this.#cursor.matches(at, text);
    if (marker === 0xe1 && is(APP1_EXIF)) return 'exif';
    return marker === 0xed && is(APP13_PHOTOSHOP) ? 'photoshop' : null;
  }

  #cutShort(kind: Kind): void {
    this.#draft.payloads?.cut.add(kind === 'exif' ? 'exif' : 'iptc');
  }
}
