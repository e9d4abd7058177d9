import { Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';
import { runTime } from './apple_run_time.ts';
import { fieldHex, fieldText } from './ifd_text.ts';
import { sonySerial } from './sony_serial.ts';
import type { Group, Kind } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

/**
 * Maker notes have no standard. The forms and tags here are those found in makers' notes, as the tag tables
 * of exiftool.org list them publicly.
 */
type Maker = 'Apple' | 'Canon' | 'Nikon' | 'Sony' | 'FujiFilm' | 'Panasonic' | 'Olympus' | 'Pentax';

interface Camera {
  readonly make: string;
  readonly model: string;
}

/** Most directories of one maker note; Olympus nests its equipment. */
const MAX_DIRECTORIES = 4;

interface NoteForm {
  readonly maker: Maker;
  /** The first bytes of the note. */
  readonly signature: string;
  /** Offset of the first directory from the note's first byte. */
  readonly start: number;
  /** The origin of offsets. */
  readonly base: 'note' | 'tiff';
  /** Offset of "II" or "MM", if the byte order may differ from that of the surrounding structure. */
  readonly orderAt?: number;
}

const NOTE_FORMS: readonly NoteForm[] = [
  { maker: 'Apple', signature: 'Apple iOS\0', start: 14, base: 'note', orderAt: 12 },
  { maker: 'Sony', signature: 'SONY DSC ', start: 12, base: 'tiff' },
  { maker: 'Sony', signature: 'SONY CAM ', start: 12, base: 'tiff' },
  { maker: 'Sony', signature: 'SONY MOBILE', start: 12, base: 'tiff' },
  { maker: 'Panasonic', signature: 'Panasonic\0', start: 12, base: 'tiff' },
  { maker: 'Olympus', signature: 'OLYMPUS\0', start: 12, base: 'note', orderAt: 8 },
  { maker: 'Olympus', signature: 'OM SYSTEM\0', start: 16, base: 'note', orderAt: 12 },
  { maker: 'Olympus', signature: 'OLYMP\0', start: 8, base: 'tiff' },
  { maker: 'Pentax', signature: 'PENTAX \0', start: 10, base: 'note', orderAt: 8 },
  { maker: 'Pentax', signature: 'AOC\0', start: 6, base: 'tiff' },
];

type Reader = (tiff: Tiff, entry: Entry, model: string) => string;
type Row = {
  [G in Group]: readonly [tag: number, group: G, kind: Kind<G>, name: string, read?: Reader];
}[Group];

const hex = (most: number): Reader => {
  return (tiff, entry) => fieldHex(tiff, entry, most);
};
/** Canon's lens information: its first five bytes are the serial number. */
const CANON_LENS_SERIAL = 5;
const UUID_BYTES = 16;

const TAGS: Readonly<Record<Maker, readonly Row[]>> = {
  Apple: [
    [0x0003, 'device', 'run_id', 'RunTime', runTime],
    [0x000b, 'device', 'run_id', 'BurstUUID'],
    [0x0011, 'texts', 'image_id', 'ContentIdentifier'],
    [0x0015, 'texts', 'image_id', 'ImageUniqueID'],
    [0x0020, 'texts', 'image_id', 'ImageCaptureRequestID'],
    [0x002b, 'texts', 'image_id', 'PhotoIdentifier'],
  ],
  Canon: [
    [0x0006, 'device', 'model', 'CanonImageType'],
    [0x0007, 'device', 'firmware', 'CanonFirmwareVersion'],
    [0x0009, 'device', 'owner', 'OwnerName'],
    [0x000c, 'device', 'body_serial', 'SerialNumber'],
    [0x0028, 'texts', 'image_id', 'ImageUniqueID', hex(UUID_BYTES)],
    [0x0095, 'device', 'lens', 'LensModel'],
    [0x0096, 'device', 'internal_serial', 'InternalSerialNumber'],
    [0x4019, 'device', 'lens_serial', 'LensSerialNumber', hex(CANON_LENS_SERIAL)],
  ],
  Nikon: [
    [0x001d, 'device', 'body_serial', 'SerialNumber'],
    [0x0084, 'device', 'lens', 'Lens'],
    [0x00a0, 'device', 'body_serial', 'SerialNumber'],
  ],
  Sony: [
    [0x2031, 'device', 'body_serial', 'SerialNumber'],
    [0x9050, 'device', 'internal_serial', 'InternalSerialNumber', sonySerial],
  ],
  FujiFilm: [[0x0010, 'device', 'internal_serial', 'InternalSerialNumber']],
  Panasonic: [
    [0x0025, 'device', 'internal_serial', 'InternalSerialNumber'],
    [0x0051, 'device', 'lens', 'LensType'],
    [0x0052, 'device', 'lens_serial', 'LensSerialNumber'],
    [0x0054, 'device', 'internal_serial', 'AccessorySerialNumber'],
    [0x0065, 'texts', 'title', 'Title'],
    [0x0066, 'people', 'person', 'BabyName'],
    [0x0067, 'places', 'name', 'Location'],
    [0x0069, 'places', 'country', 'Country'],
    [0x006b, 'places', 'region', 'State'],
    [0x006d, 'places', 'city', 'City'],
    [0x006f, 'places', 'name', 'Landmark'],
  ],
  Olympus: [
    [0x0100, 'device', 'model', 'CameraType2'],
    [0x0101, 'device', 'body_serial', 'SerialNumber'],
    [0x0102, 'device', 'internal_serial', 'InternalSerialNumber'],
    [0x0202, 'device', 'lens_serial', 'LensSerialNumber'],
    [0x0203, 'device', 'lens', 'LensModel'],
    [0x0302, 'device', 'lens_serial', 'ExtenderSerialNumber'],
    [0x0404, 'device', 'body_serial', 'SerialNumber'],
  ],
  Pentax: [[0x0229, 'device', 'body_serial', 'SerialNumber']],
};
/** Link to Olympus' equipment directory; its tags from 0x100 on do not occur in the main directory. */
const OLYMPUS_EQUIPMENT = 0x2010;
/** TIFF Tech Note 1: an offset of a directory. */
const IFD_TYPE = 13;

/**
 * Reads the serial numbers, owners, places and identifiers of a maker note whose form is known.
 * @param tiff the structure that contains it
 * @param camera make and model according to the first directory
 */
export function readMakerNote(tiff: Tiff, note: Entry, camera: Camera, draft: ValuesDraft): void {
  const opened = open(tiff, note, camera.make);
  if (opened === null) return;
  const { maker, notes } = opened;
  const queue = [notes.header.first];
  for (let n = 0; n < queue.length && n < MAX_DIRECTORIES; n++) {
    const directory = notes.directory(queue[n]!);
    if (directory === null) continue;
    for (const [tag, group, kind, name, read = fieldText] of TAGS[maker]) {
      const entry = directory.fields.get(tag);
      if (!entry || !draft.fieldBytes(entry.bytes)) continue;
      const source = { block: 'makernote', field: `${maker}:${name}` } as const;
      draft.add(group, kind, read(notes, entry, camera.model), source);
    }
    const equipment = maker === 'Olympus' ? directory.fields.get(OLYMPUS_EQUIPMENT) : undefined;
    // the older form contains the directory itself, the newer one links to it
    if (equipment) queue.push(equipment.type === IFD_TYPE ? notes.number(equipment) : equipment.at);
  }
}

function open(tiff: Tiff, note: Entry, make: string): { maker: Maker; notes: Tiff } | null {
  const { window, header } = tiff;
  const inside = window.window(note.at, note.at + note.bytes);
  const form = NOTE_FORMS.find(({ signature }) => inside.matches(0, signature));
  if (form) {
    const { maker, start, base, orderAt } = form;
    const order = orderAt === undefined ? -1 : inside.u16(orderAt);
    const little = order === 0x4949 || (order !== 0x4d4d && header.little);
    const notes =
      base === 'note' ? Tiff.headless(inside, little, start) : Tiff.headless(window, little, note.at + start);
    return { maker, notes };
  }
  if (inside.matches(0, 'Nikon\0\x02')) {
    const notes = Tiff.open(inside.window(10, inside.length));
    return notes && { maker: 'Nikon', notes };
  }
  if (inside.matches(0, 'FUJIFILM')) {
    return { maker: 'FujiFilm', notes: Tiff.headless(inside, true, inside.u32(8, true)) };
  }
  if (/^canon/i.test(make)) return { maker: 'Canon', notes: Tiff.headless(window, header.little, note.at) };
  if (/^nikon/i.test(make)) return { maker: 'Nikon', notes: Tiff.headless(window, header.little, note.at) };
  return null;
}
