import { type Box, boxAt, boxes } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { ByteRange } from '../facts.ts';
import { joinWindows } from '../join.ts';
import { jumbfKind } from '../jumbf.ts';
import type { PictureItem } from '../payloads.ts';
import { scanExif } from '../tiff/exif.ts';
import { noteTrailer } from '../trailer.ts';
import { searchXmp, searchXmpPieces } from '../xmp.ts';
import { av1Sequence } from './av1_sequence.ts';
import { pictureOfItems, pictureOfTracks, trackOf } from './coded_picture.ts';
import { type Item, ItemTable } from './items.ts';
import { describeBitstreams, describePicture, describeTrack } from './picture_facts.ts';
import { readTracks, type Track } from './tracks.ts';
import { describeTransforms, TRANSFORMS } from './transforms.ts';

/**
 * Most top-level boxes read. Fragmented files have more the longer they are; no AVIF has more than a dozen.
 */
const MAX_TOP_BOXES = 65_536;
/** Most Exif items scanned; a picture has one, and each frame of a sequence might. */
const MAX_EXIF_ITEMS = 16;
/** Longest Exif item that is joined from several extents: many times what JPEG allows. */
const MAX_JOINED_EXIF = 1 << 20;

/** Work of recording an item's place, in bytes searched. */
const RECORD_WORK = 512;

/**
 * Extended types of `uuid` boxes: XMP part 3 §1.2.6; C2PA, "Embedding manifests into BMFF-based assets"; Exif
 * as in JPEG 2000.
 */
const UUIDS: readonly (readonly [uuid: string, name: 'xmp' | 'c2pa' | 'exif'])[] = [
  ['\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac', 'xmp'],
  ['\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81', 'c2pa'],
  ['JpgTiffExif->JP2', 'exif'],
];

/** Boxes that readers skip, whatever they contain: ISO/IEC 14496-12 §8.1.2. */
const FREE: ReadonlySet<string> = new Set(['free', 'skip']);

/** Top-level boxes that are structure, not metadata. */
const PLAIN = new Set([
  'ftyp',
  'meta',
  'moov',
  'mdat',
  'wide',
  'moof',
  'mfra',
  'sidx',
  'styp',
  'ssix',
  'prft',
]);
/** Boxes that are accepted even if they declare an end beyond the file. */
const KNOWN: ReadonlySet<string> = new Set([...PLAIN, ...FREE, 'uuid']);

/**
 * Scans an AVIF (AVIF 1.1, ISO/IEC 23008-12 items in ISO/IEC 14496-12 boxes), still or sequence; yields as
 * scanners do.
 */
export function* scanAvif(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  let meta: ItemTable | null = null;
  let tracks: readonly Track[] | null = null;
  let at = 0;
  let type = '';
  for (let n = 0; n < MAX_TOP_BOXES && at < cursor.length; n++) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    const box = boxAt(cursor, at, cursor.length, type);
    if (box === null || (box.end > cursor.length && !KNOWN.has(box.type))) break;
    ({ type } = box);
    if (box.end > cursor.length) draft.fail(`its ${type} box is longer than the file`);
    const inside = { ...box, end: Math.min(box.end, cursor.length) };
    if (box.type === 'meta' && meta === null) {
      meta = new ItemTable(cursor);
      yield* meta.read(inside);
    } else if (box.type === 'moov') {
      tracks = yield* readTracks(cursor, inside);
      for (const { type, start, end } of boxes(cursor, inside.body, inside.end)) {
        if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
        if (type === 'udta') draft.block('unknown', start, end);
      }
    } else topBox(cursor, inside, draft);
    at = box.end;
  }
  if (meta) yield* noteItems(cursor, meta, draft);
  if (meta === null && tracks === null) draft.fail('it has no image items');
  yield* describeFirst(cursor, meta, tracks ?? [], draft);
  yield* noteTrailer(cursor, at, draft);
}

/** Writes the facts about the picture once all boxes are read. */
function* describeFirst(
  cursor: Cursor,
  meta: ItemTable | null,
  tracks: readonly Track[],
  draft: FactsDraft,
): Generator<number, void> {
  const frames = tracks.find(({ handler }) => handler === 'pict')?.samples;
  if (frames !== undefined) draft.frames = Math.max(1, frames);
  const track = trackOf(cursor, meta, tracks);
  if (track) describeTrack(cursor, track, draft);
  else if (meta) {
    requirePrimary(meta, draft);
    describePicture(cursor, meta, draft);
  }
  const picture = track ? pictureOfTracks(track, tracks) : yield* pictureOfItems(meta);
  if (!('defect' in picture)) yield* describeBitstreams(cursor, picture, draft);
  const transforms = track
    ? track.properties.filter(({ type }) => TRANSFORMS.includes(type))
    : (meta?.propertiesOf(meta.primary, ...TRANSFORMS) ?? []);
  describeTransforms(cursor, transforms, draft);
}

/** Records a top-level box that is not structure. */
function topBox(cursor: Cursor, box: Box, draft: FactsDraft): void {
  const { type, start, body, end } = box;
  if (type === 'uuid') {
    const name = UUIDS.find(([uuid]) => cursor.matches(body, uuid))?.[1] ?? 'unknown';
    draft.block(name, start, end);
    if (name === 'xmp') searchXmp(cursor, body + 16, end, draft);
    if (name === 'c2pa') draft.payload('c2pa', cursor, body + 16, end);
    if (name === 'exif') scanExif(cursor.window(body + 16, end), draft, { governs: false });
  } else if (FREE.has(type)) {
    if (body < end) draft.block('free_space', start, end);
  } else if (type === 'mpvd') draft.block('motion_photo', start, end);
  else if (type === 'jumb' || type === 'c2pa') {
    const kind = jumbfKind(cursor, start) ?? 'jumbf';
    draft.block(kind, start, end);
    if (kind === 'c2pa') draft.payload('c2pa', cursor, start, end);
  } else if (!PLAIN.has(type)) draft.block('unknown', start, end);
}

/**
 * Records items that are metadata, profiles among the properties, and picture items whose bytes are not in
 * the file.
 */
function* noteItems(cursor: Cursor, table: ItemTable, draft: FactsDraft): Generator<number, void> {
  for (const { start, body, end } of table.free) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    if (body < end) draft.block('free_space', start, end);
  }
  const exifItems: (readonly ByteRange[])[] = [];
  const isAlpha = new Set(table.alphas.values());
  for (const [id, item] of table.items) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    noteItem(cursor, item, draft, exifItems);
    // alpha is scaled to the picture, whatever its size
    if (item.type === 'av01' && !isAlpha.has(id)) checkSize(cursor, table, id, item, draft);
  }
  for (const extents of exifItems) {
    scanExifItem(cursor, extents, draft);
    yield* draft.workOff(cursor);
  }
  for (const { type, body, start, end } of table.properties) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    if (type !== 'colr') continue;
    const kind = cursor.text(body, Math.min(body + 4, end), 4);
    if (kind === 'prof' || kind === 'rICC') draft.block('icc', start, end);
  }
  for (const [id, name] of secondaryItems(table)) {
    const item = table.items.get(id);
    cursor.meter.work(RECORD_WORK * ((item?.extents?.length ?? 0) + 1));
    if (cursor.meter.isDue) yield cursor.meter.pause();
    for (const { start, end } of item?.extents ?? []) draft.block(name, start, end);
    if (name === 'thumbnail' && item?.extents) {
      const pictureItem = draft.payloads && pictureItemOf(cursor, table, id);
      draft.payloads?.add('item_thumbnail', cursor, item.extents, item.type, pictureItem ?? undefined);
    }
  }
}

/** Checks the primary item, for files whose picture does not come from a track. */
function requirePrimary(table: ItemTable, draft: FactsDraft): void {
  const primary = table.items.get(table.primary);
  if (primary === undefined || primary.type === '') draft.fail('it has no primary image item');
  else if (primary.extents === undefined) draft.fail('it does not say where its primary image item lies');
}

function pictureItemOf(cursor: Cursor, table: ItemTable, id: number): PictureItem {
  const contentOf = (type: string) => {
    const property = table.propertiesOf(id, type)[0];
    return property && cursor.window(property.body, property.end);
  };
  const size = contentOf('ispe');
  return {
    width: size?.u32(4) ?? -1,
    height: size?.u32(8) ?? -1,
    configuration: contentOf('av1C'),
    codePoints: contentOf('colr'),
  };
}

/**
 * Compares the size that the container declares for a coded image (`ispe`) with the size in its bitstream;
 * AVIF demands that they are equal (§2.1). A decoder allocates by one, while limits were checked by the
 * other. Layers have their own sizes, which the decoder compares.
 */
function checkSize(cursor: Cursor, table: ItemTable, id: number, { extents }: Item, draft: FactsDraft): void {
  const declared = table.propertiesOf(id, 'ispe')[0];
  const place = extents?.[0];
  const coded = place ? av1Sequence(cursor, place.start, place.end) : null;
  if (!declared || !coded || coded.layered) return;
  if (coded.width !== cursor.u32(declared.body + 4) || coded.height !== cursor.u32(declared.body + 8)) {
    draft.fail('its header and its image data contradict each other about the size');
  }
}

/**
 * Thumbnails, and gain maps: the second picture that a tone map (ISO 21496-1) is derived from. Each item
 * once.
 */
function secondaryItems(table: ItemTable): Map<number, 'thumbnail' | 'gainmap'> {
  const found = new Map<number, 'thumbnail' | 'gainmap'>();
  for (const { type, from, to } of table.references) {
    if (type === 'thmb') found.set(from, 'thumbnail');
    const map = to[1];
    if (type === 'dimg' && map !== undefined && table.items.get(from)?.type === 'tmap')
      found.set(map, 'gainmap');
  }
  return found;
}

/** Records one item; extents of Exif items are added to a list to be scanned. */
function noteItem(cursor: Cursor, item: Item, draft: FactsDraft, exifItems: (readonly ByteRange[])[]): void {
  const extents = item.extents ?? [];
  const name =
    item.type === 'Exif'
      ? 'exif'
      : item.type === 'mime' && item.contentType === 'application/rdf+xml'
        ? 'xmp'
        : item.type === 'mime' || item.type === 'uri '
          ? 'unknown'
          : null;
  cursor.meter.work(RECORD_WORK * (extents.length + 1));
  if (name === null) {
    if (extents.some(({ start, end }) => start > end || end > cursor.length)) {
      draft.fail('an image item reaches beyond the end of the file');
    }
    return;
  }
  for (const { start, end } of extents) draft.block(name, start, end);
  const [first] = extents;
  if (name === 'xmp' && first && extents.length === 1) searchXmp(cursor, first.start, first.end, draft);
  else if (name === 'xmp') searchXmpPieces(cursor, extents, draft);
  if (name === 'exif' && extents.length > 0 && exifItems.length < MAX_EXIF_ITEMS) exifItems.push(extents);
}

/**
 * An Exif item, ISO/IEC 23008-12 annex A.2.1: a four-byte offset to the TIFF header, counted from the end of
 * the offset field, then the payload. Some writers set the offset to 0 although "Exif\0\0" follows, or leave
 * it out; then the payload begins the item, with or without that prefix, as exiftool reads it.
 */
function scanExifItem(cursor: Cursor, extents: readonly ByteRange[], draft: FactsDraft): void {
  const windows = extents.map(({ start, end }) => cursor.window(start, end));
  const whole = joinWindows(windows, MAX_JOINED_EXIF, extents[0])?.window;
  if (!whole) return;
  const offset = whole.u32(0);
  const stated = offset >= 0 && offset < whole.length - 4 ? 4 + offset : 4;
  for (const at of [stated, 4, 0]) {
    const start = whole.matches(at, 'Exif\0') ? at + 6 : at;
    if (scanExif(whole.window(start, whole.length), draft, { governs: false })) return;
  }
}
