import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { BlockName, ByteRange } from '../facts.ts';
import { jumbfKind } from '../jumbf.ts';
import { scanExif } from '../tiff/exif.ts';
import { searchXmp, searchXmpPieces } from '../xmp.ts';
import { countViews } from './mpf.ts';
import { SplitSegments } from './split_segments.ts';

/** Most segments of extended XMP that are joined; 25 MB hold 400 full ones. */
const MAX_XMP_PIECES = 1024;
/** The digest that links the parts of extended XMP: 32 characters, XMP specification part 3, §1.1.3.1. */
const GUID_LENGTH = 32;

const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0';
/** Marks by which XMP without its namespace is recognised, within the first bytes. */
const XMP_MARKS = ['<?xpacket', '<x:xmpmeta', 'ns.adobe.com/xap'];
const MAX_XMP_PADDING = 1024;
/** Most manifest stores kept of one image; a file has one. */
const MAX_MANIFESTS = 16;
/** Most segments of one store. */
const MAX_MANIFEST_PIECES = 1024;
const ICC = 'ICC_PROFILE\0';

/** The metadata segments of one JPEG image, collected while its markers are walked. */
export class JpegSegments {
  jfif = false;
  /** Whether a scan has begun: readers have made up their minds about turn and colours by then. */
  #scanned = false;
  /** ColorTransform of Adobe's APP14: 0 RGB or CMYK, 1 YCbCr, 2 YCCK. */
  adobeTransform: number | undefined;
  /** Number of pictures of equal rank in the multi-picture index. */
  views = 0;
  readonly #primary: boolean;
  readonly #icc = new Map<number, ByteRange>();
  #iccCount = 0;
  #iccBroken = false;
  readonly #split: SplitSegments;
  /** Parts of each packet of extended XMP by their offset in it, by the packet's digest. */
  readonly #extended = new Map<string, Map<number, ByteRange>>();
  #extendedParts = 0;
  /** Kind of each JUMBF box by its instance number: later segments of a box do not repeat its description. */
  readonly #boxes = new Map<number, 'c2pa' | 'jumbf'>();
  /** Pieces of each C2PA manifest store by its instance number. */
  readonly #manifests = new Map<number, ByteRange[]>();

  readonly cursor: Cursor;
  readonly draft: FactsDraft;

  /** @param primary whether this image is the decoded one: only its own Exif and profile apply to it */
  constructor(cursor: Cursor, draft: FactsDraft, { primary }: { primary: boolean }) {
    this.cursor = cursor;
    this.draft = draft;
    this.#primary = primary;
    this.#split = new SplitSegments(cursor, draft, primary);
  }

  /** What follows lies behind the first scan header, and does not govern the picture. */
  scan(): void {
    this.#split.finish();
    this.#split.governs = false;
    this.#scanned = true;
  }

  comment(start: number, end: number): void {
    this.draft.block('comment', start, end);
    this.draft.payload('comment', this.cursor, start + 4, end);
  }

  /** Records an APPn segment at [start, end), including its marker. */
  application(marker: number, start: number, end: number): void {
    const name = this.#split.take(marker, start + 4, end) ?? this.#recognise(marker, start + 4, end);
    if (name !== null) this.draft.block(name, start, end);
  }

  /** Handles what needs all segments: joined XMP, the ICC profile. */
  finish(): void {
    this.#split.finish();
    for (const parts of this.#extended.values()) {
      const pieces = [...parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
      searchXmpPieces(this.cursor, pieces, this.draft);
    }
    for (const manifest of this.#manifests.values()) {
      this.draft.payloads?.add('c2pa', this.cursor, manifest);
    }
    if (!this.#primary || this.#icc.size === 0) return;
    const pieces = [...this.#icc].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    const complete = !this.#iccBroken && pieces.length === this.#iccCount;
    this.draft.colorimetry.icc = { pieces: complete ? pieces : [], encoding: 'raw' };
  }

  /** The block name of a segment; null if it is not metadata. `at` is the first byte after its length. */
  #recognise(marker: number, at: number, end: number): BlockName | null {
    switch (marker) {
      case 0xe0:
        return this.#app0(at, end);
      case 0xe1:
        return this.#app1(at, end);
      case 0xe2:
        return this.#app2(at, end);
      case 0xe3: // Kodak and others keep a second Exif structure here
        return this.#is(at, end, 'Meta\0\0') || this.#is(at, end, 'META\0\0')
          ? this.#secondExif(at + 6, end)
          : 'unknown';
      case 0xea:
        if (!this.#is(at, end, 'UNICODE\0')) return 'unknown';
        this.draft.payload('comment', this.cursor, at + 8, end, 'utf-16');
        return 'comment';
      case 0xeb:
        return this.#app11(at, end);
      case 0xed:
        return this.#is(at, end, 'Adobe_Photoshop2.5:') ? 'photoshop' : 'unknown';
      case 0xee:
        if (!this.#is(at, end, 'Adobe')) return 'unknown';
        if (end - at >= 12) this.adobeTransform ??= this.cursor.u8(at + 11);
        return null;
      default:
        return 'unknown';
    }
  }

  #app0(at: number, end: number): BlockName | null {
    if (this.#is(at, end, 'JFIF\0')) {
      this.jfif = true;
      const pixels = this.cursor.u8(at + 12) * this.cursor.u8(at + 13);
      if (end - at <= 14 || pixels <= 0) return null;
      this.draft.payload('jfif_thumbnail', this.cursor, at + 12, end);
      return 'thumbnail';
    }
    if (!this.#is(at, end, 'JFXX\0')) return 'unknown';
    this.draft.payload('jfxx_thumbnail', this.cursor, at + 5, end);
    return 'thumbnail';
  }

  #app1(at: number, end: number): BlockName {
    const { cursor, draft } = this;
    if (this.#is(at, end, EXTENDED_XMP)) {
      const guid = at + EXTENDED_XMP.length;
      const offset = cursor.u32(guid + GUID_LENGTH + 4);
      const piece = { start: guid + GUID_LENGTH + 8, end };
      if (piece.start < end && this.#extendedParts < MAX_XMP_PIECES) {
        this.#extendedParts += 1;
        const digest = cursor.text(guid, guid + GUID_LENGTH, GUID_LENGTH);
        const parts = this.#extended.get(digest) ?? new Map<number, ByteRange>();
        // of a part that is repeated, the first counts
        if (!parts.has(offset)) this.#extended.set(digest, parts.set(offset, piece));
      }
      return 'xmp';
    }
    // Some writers omit the namespace, or pad before it; the packet is then recognised by its own text.
    const named = this.#is(at, end, XMP);
    const near = Math.min(end, at + MAX_XMP_PADDING);
    if (!named && !XMP_MARKS.some((mark) => cursor.findText(mark, at, near) >= 0)) return 'unknown';
    searchXmp(cursor, named ? at + XMP.length : at, end, draft);
    return 'xmp';
  }

  #secondExif(at: number, end: number): BlockName {
    scanExif(this.cursor.window(at, end), this.draft, { governs: this.#primary });
    return 'exif';
  }

  #app2(at: number, end: number): BlockName {
    if (this.#is(at, end, ICC) && this.#scanned) return 'icc';
    if (this.#is(at, end, ICC)) {
      const number = this.cursor.u8(at + 12);
      const count = this.cursor.u8(at + 13);
      if (number < 1 || number > count || at + 14 > end) this.#iccBroken = true;
      if (this.#iccCount !== 0 && this.#iccCount !== count) this.#iccBroken = true;
      this.#iccCount = count;
      // of a part that is repeated, the first counts, as in browsers
      if (!this.#icc.has(number)) this.#icc.set(number, { start: at + 14, end });
      return 'icc';
    }
    if (this.#is(at, end, 'MPF\0')) {
      this.draft.payload('mpf', this.cursor, at + 4, end);
      this.views = Math.max(this.views, countViews(this.cursor.window(at + 4, end)));
      return 'mpf';
    }
    if (this.#is(at, end, 'urn:iso:std:iso:ts:21496:-1\0')) {
      this.draft.gainMap = true;
      return 'gainmap';
    }
    return 'unknown';
  }

  /**
   * JPEG XT boxes, ISO/IEC 18477-3 annex B: "JP", box instance number, packet sequence number, then the box.
   */
  #app11(at: number, end: number): BlockName {
    const { cursor } = this;
    if (this.#is(at, end, 'HDR_RI')) return 'gainmap';
    if (!this.#is(at, end, 'JP')) return 'unknown';
    const instance = cursor.u16(at + 2);
    const first = cursor.u32(at + 4) === 1;
    const kind = cursor.matches(at + 12, 'jumb') ? jumbfKind(cursor.window(0, end), at + 8) : null;
    if (kind !== null && (first || !this.#boxes.has(instance))) this.#boxes.set(instance, kind);
    const name = this.#boxes.get(instance) ?? kind ?? 'unknown';
    if (name === 'c2pa' && this.draft.payloads) this.#keepManifest(instance, at, end, first);
    return name;
  }

  /**
   * Keeps the place of a part of a manifest store. Every segment repeats the box's length and type, needed
   * only in the first one (ISO/IEC 18477-3 annex B).
   */
  #keepManifest(instance: number, at: number, end: number, first: boolean): void {
    const extended = this.cursor.u32(at + 8) === 1 ? 8 : 0;
    const start = first ? at + 8 : at + 16 + extended;
    const pieces = this.#manifests.get(instance);
    if (pieces && pieces.length < MAX_MANIFEST_PIECES) pieces.push({ start, end });
    else if (!pieces && this.#manifests.size < MAX_MANIFESTS) this.#manifests.set(instance, [{ start, end }]);
  }

  #is(at: number, end: number, text: string): boolean {
    return at + text.length <= end && this.cursor.matches(at, text);
  }
}
