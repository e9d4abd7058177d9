import type { Cursor } from '../cursor.ts';
import { type Directory, Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';
import * as Tag from '../tiff/tags.ts';
import { readGps } from './gps.ts';
import { fieldCoded, fieldText, fieldUtf16, shortText } from './ifd_text.ts';
import { readMakerNote } from './maker_notes.ts';
import { promptKind } from './prompts.ts';
import { addIfdThumbnail, type Picture } from './thumbnails.ts';
import { isoTime } from './times.ts';
import type { Group, Kind } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

/** Most directories read of one structure. Camera files have five, a TIFF has one per page. */
const MAX_DIRECTORIES = 512;
/** Most links followed in one SubIFDs field. */
const MAX_SUB_DIRECTORIES = 16;

type Reader = (tiff: Tiff, entry: Entry) => string;
type Row<G extends Group = Group> = readonly [tag: number, name: string, kind: Kind<G>, read?: Reader];

/** Fields that contain text: TIFF 6.0, CIPA DC-008, DNG 1.6, and those that Windows writes (UTF-16). */
const DEVICE: readonly Row<'device'>[] = [
  [11, 'ProcessingSoftware', 'software'],
  [Tag.Make, 'Make', 'maker'],
  [Tag.Model, 'Model', 'model'],
  [Tag.Software, 'Software', 'software'],
  [Tag.HostComputer, 'HostComputer', 'host_computer'],
  [42032, 'CameraOwnerName', 'owner'],
  [42033, 'BodySerialNumber', 'body_serial'],
  [42035, 'LensMake', 'lens'],
  [42036, 'LensModel', 'lens'],
  [42037, 'LensSerialNumber', 'lens_serial'],
  [42041, 'CameraFirmware', 'firmware'],
  [42042, 'RAWDevelopingSoftware', 'software'],
  [42043, 'ImageEditingSoftware', 'software'],
  [42044, 'MetadataEditingSoftware', 'software'],
  [50708, 'UniqueCameraModel', 'model'],
  [50735, 'CameraSerialNumber', 'body_serial'],
];
const PEOPLE: readonly Row<'people'>[] = [
  [Tag.Artist, 'Artist', 'author'],
  [Tag.Copyright, 'Copyright', 'copyright'],
  [40093, 'XPAuthor', 'author', fieldUtf16],
  [42039, 'Photographer', 'author'],
  [42040, 'ImageEditor', 'author'],
];
const TEXTS: readonly Row<'texts'>[] = [
  [269, 'DocumentName', 'title'],
  [Tag.ImageDescription, 'ImageDescription', 'caption'],
  [285, 'PageName', 'title'],
  [18246, 'Rating', 'rating'],
  [37510, 'UserComment', 'comment', fieldCoded],
  [40091, 'XPTitle', 'title', fieldUtf16],
  [40092, 'XPComment', 'comment', fieldUtf16],
  [40094, 'XPKeywords', 'keyword', fieldUtf16],
  [40095, 'XPSubject', 'caption', fieldUtf16],
  [42016, 'ImageUniqueID', 'image_id'],
  [42038, 'ImageTitle', 'title'],
  [50827, 'OriginalRawFileName', 'file_name'],
];
/** Times: the field, then the fields of its fraction and its offset (CIPA DC-008 §4.6.6). */
const TIMES: readonly (readonly [tag: number, name: string, kind: Kind<'times'>, number, number])[] = [
  [Tag.DateTime, 'DateTime', 'modified', 37520, 36880],
  [36867, 'DateTimeOriginal', 'taken', 37521, 36881],
  [36868, 'DateTimeDigitized', 'digitised', 37522, 36882],
];

/**
 * Reads a TIFF structure: an Exif payload, or a TIFF file.
 * @param picture the picture to compare thumbnails with
 */
export function* readExif(
  window: Cursor,
  file: boolean,
  picture: Picture,
  draft: ValuesDraft,
): Generator<number, void> {
  const tiff = Tiff.open(window);
  if (tiff === null) return;
  const camera = { make: '', model: '' };
  const queue: { at: number; gps: boolean; page: number }[] = [
    { at: tiff.header.first, gps: false, page: 1 },
  ];
  // Fractions and offsets are in the Exif directory, DateTime is in the first one.
  const details = new Map<number, string>();
  const times: { tag: number; text: string }[] = [];
  for (let n = 0; n < queue.length && n < MAX_DIRECTORIES; n++) {
    const { at, gps, page } = queue[n]!;
    if (tiff.window.meter.isDue) yield tiff.window.meter.pause();
    const directory = tiff.directory(at);
    if (directory === null) continue;
    if (!draft.structures(directory.entries.length)) break;
    if (gps) readGps(tiff, directory, draft);
    else {
      readFields(tiff, directory, draft);
      noteTimes(tiff, directory, details, times);
      camera.make ||= shortText(tiff, directory.fields.get(Tag.Make));
      camera.model ||= shortText(tiff, directory.fields.get(Tag.Model));
      const note = directory.fields.get(Tag.MakerNote);
      if (note) readMakerNote(tiff, note, camera, draft);
      addIfdThumbnail(tiff, directory, { file, page }, picture, draft);
    }
    if (page > 0 && directory.next > 0) queue.push({ at: directory.next, gps: false, page: page + 1 });
    queueLinks(tiff, directory, queue);
  }
  if (queue.length > MAX_DIRECTORIES) draft.cut = true;
  for (const { tag, text } of times) addTime(tag, text, details, draft);
}

function readFields(tiff: Tiff, { fields }: Directory, draft: ValuesDraft): void {
  const read = <G extends Group>(group: G, rows: readonly Row<G>[]) => {
    for (const [tag, field, kind, reader = fieldText] of rows) {
      const entry = fields.get(tag);
      if (!entry || !draft.fieldBytes(entry.bytes)) continue;
      draft.add(group, kind, reader(tiff, entry), { block: 'exif', field });
    }
  };
  read('device', DEVICE);
  read('people', PEOPLE);
  for (const [tag, field, kind, reader = fieldText] of TEXTS) {
    const entry = fields.get(tag);
    if (!entry || !draft.fieldBytes(entry.bytes)) continue;
    const text = reader(tiff, entry);
    draft.add('texts', promptKind(text) ?? kind, text, { block: 'exif', field });
  }
}

function noteTimes(
  tiff: Tiff,
  { fields }: Directory,
  details: Map<number, string>,
  times: { tag: number; text: string }[],
): void {
  for (const [tag, , , fraction, offset] of TIMES) {
    for (const part of [fraction, offset]) {
      const entry = fields.get(part);
      if (entry && !details.has(part)) details.set(part, shortText(tiff, entry));
    }
    const entry = fields.get(tag);
    if (entry) times.push({ tag, text: shortText(tiff, entry) });
  }
}

function addTime(tag: number, text: string, details: ReadonlyMap<number, string>, draft: ValuesDraft): void {
  const [, field, kind, fraction, offset] = TIMES.find((row) => row[0] === tag)!;
  const time = isoTime(text, details.get(fraction), details.get(offset));
  if (time) draft.add('times', kind, time, { block: 'exif', field });
}

function queueLinks(
  tiff: Tiff,
  { fields }: Directory,
  queue: { at: number; gps: boolean; page: number }[],
): void {
  for (const tag of [Tag.ExifIFD, Tag.GPSInfo]) {
    const at = tiff.number(fields.get(tag));
    if (at > 0) queue.push({ at, gps: tag === Tag.GPSInfo, page: 0 });
  }
  const children = fields.get(Tag.SubIFDs);
  for (let i = 0; i < Math.min(children?.count ?? 0, MAX_SUB_DIRECTORIES); i++) {
    const at = tiff.number(children, i);
    if (at > 0) queue.push({ at, gps: false, page: 0 });
  }
}
