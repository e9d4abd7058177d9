import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import { noteTrailer } from '../trailer.ts';
import { JpegFrame } from './frame.ts';
import { JpegSegments } from './segments.ts';

/** Marker codes, ITU-T T.81 table B.1. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DNL = 0xdc;
const COM = 0xfe;
const TEM = 0x01;

/** Most JPEG images after the first that are walked: gain maps, stereo halves, previews. */
const MAX_TRAILING_IMAGES = 64;

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
/** Start of frame: C0 to CF except DHT (C4), JPG (C8) and DAC (CC). */
export const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;

/** The result of walking the markers of one image. */
interface Walk {
  /** The offset after its EOI; null when there is none. */
  readonly end: number | null;
  /** The offset that the walk reached. */
  readonly reached: number;
  /** Why the image is incomplete, or null. */
  readonly defect: string | null;
}

/**
 * Scans a JPEG (ITU-T T.81 annex B; segments: CIPA DC-008, XMP part 3, ICC.1 annex B, CIPA DC-007), and the
 * JPEGs after it. Yields within long runs of markers.
 */
export function* scanJpeg(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const segments = new JpegSegments(cursor, draft, { primary: true });
  const frame = new JpegFrame(cursor);
  const { end, defect } = yield* walkImage(cursor, 0, segments, frame);
  if (defect !== null) draft.fail(defect);
  frame.describe(draft, segments.adobeTransform, segments.jfif);
  segments.finish();
  yield* draft.workOff(cursor);
  // if the picture itself announces a gain map, the further pictures are its layers, not frames
  if (segments.views > 1 && !draft.gainMap) draft.frames = segments.views;
  if (end !== null) yield* scanTrailingImages(cursor, end, draft);
}

/** Records what lies after the first image, and the metadata and gain maps of images in it. */
function* scanTrailingImages(cursor: Cursor, start: number, draft: FactsDraft): Generator<number, void> {
  yield* noteTrailer(cursor, start, draft);
  let at = start;
  for (let n = 0; n < MAX_TRAILING_IMAGES && at < cursor.length; n++) {
    const soi = yield* cursor.search('\xff\xd8\xff', at);
    if (soi < 0) return;
    const segments = new JpegSegments(cursor, draft, { primary: false });
    const frame = new JpegFrame(cursor);
    const { reached } = yield* walkImage(cursor, soi, segments, frame);
    segments.finish();
    yield* draft.workOff(cursor);
    at = reached;
    if (frame.found && draft.gainMap) draft.block('gainmap', soi, at);
  }
}

/** Walks the markers of one image from its SOI to its EOI. */
function* walkImage(
  cursor: Cursor,
  soi: number,
  segments: JpegSegments,
  frame: JpegFrame,
): Generator<number, Walk> {
  const { draft } = segments;
  let at = soi + 2;
  while (at < cursor.length) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    const next = cursor.u16(at);
    // Most markers directly follow the previous segment, without fill bytes.
    const isPlain = next > 0xff00 && next < 0xffff;
    const { fill, code } = isPlain ? { fill: at, code: at + 1 } : yield* nextMarker(cursor, at);
    if (code < 0) break;
    const marker = cursor.u8(code);
    const start = code - 1;
    // Skipped bytes, which no decoder examines.
    draft.block('unknown', at, fill);
    if (marker === EOI) return { end: code + 1, reached: code + 1, defect: frame.defect() };
    if (isRestart(marker) || marker === TEM || marker === SOI) {
      at = code + 1;
      continue;
    }
    const length = cursor.u16(code + 1);
    const end = code + 1 + length;
    if (length >= 0 && length < 2 && (isApplication(marker) || marker === COM)) {
      // a length that does not even include itself: libjpeg skips its two bytes (jdmarker.c, skip_variable)
      at = code + 3;
      continue;
    }
    if (length < 2 || end > cursor.length) {
      if (isApplication(marker) && length >= 2) segments.application(marker, start, cursor.length);
      const short = length < 0 || length >= 2;
      const defect = short ? 'it ends inside a marker segment' : 'a marker segment has an impossible length';
      return { end: null, reached: code + 1, defect };
    }
    if (isApplication(marker)) segments.application(marker, start, end);
    else if (marker === COM) segments.comment(start, end);
    else if (isFrame(marker)) frame.start(marker, code + 3, end);
    else if (marker === DQT) frame.tables(code + 3, end);
    else if (marker === DNL) frame.lines(code + 3);
    at = end;
    if (marker === SOS) {
      segments.scan();
      at = yield* skipEntropyCoded(cursor, end);
      frame.scan(code + 3, end, at - end);
    }
  }
  const defect = frame.found
    ? 'the image data ends before its EOI marker'
    : 'it ends before the image data begins';
  return { end: null, reached: Math.max(at, soi + 2), defect };
}

/** The place of a marker. */
interface Marker {
  /** The offset of the first FF before its code: further ones are fill bytes, T.81 B.1.1.2. */
  readonly fill: number;
  /** The offset of its code byte; −1 if there is no marker. */
  readonly code: number;
}

/** The next marker at or after `from`; other bytes are skipped. Yields as scanners do. */
export function* nextMarker(cursor: Cursor, from: number): Generator<number, Marker> {
  let at = from;
  while (at < cursor.length) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    const fill = cursor.find(0xff, at);
    if (fill < 0) break;
    const code = yield* cursor.pass(0xff, fill + 1);
    if (cursor.u8(code) > 0) return { fill, code };
    at = code + 1;
  }
  return { fill: -1, code: -1 };
}

/**
 * The offset of the FF of the first marker that ends entropy-coded data: neither a stuffed zero nor a
 * restart. Yields as scanners do.
 */
export function* skipEntropyCoded(cursor: Cursor, from: number): Generator<number, number> {
  for (let at = from; ; ) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    at = cursor.find(0xff, at);
    if (at < 0) return cursor.length;
    const code = cursor.u8(at + 1);
    if (code < 0) return cursor.length;
    if (code === 0xff) at = (yield* cursor.pass(0xff, at + 1)) - 1;
    else if (code === 0 || isRestart(code)) at += 2;
    else return at;
  }
}
