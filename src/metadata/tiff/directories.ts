import type { FactsDraft } from '../draft.ts';
import { SWAPPED_WORDS } from '../payloads.ts';
import { searchXmp } from '../xmp.ts';
import type { Directory, Tiff } from './ifd.ts';
import type { Entry } from './ifd_entry.ts';
import * as Tag from './tags.ts';

/** Most directories of one TIFF structure, pages and their children together. */
const MAX_DIRECTORIES = 65_536;
/** Most links followed in one SubIFDs field. */
const MAX_SUB_DIRECTORIES = 1024;

/**
 * Fields of a TIFF page that describe the picture and its maker rather than its pixels. They are fields of
 * Exif's IFD0, so they are reported under that name. The last five are written by Windows Explorer.
 */
const DESCRIPTIVE_TAGS: readonly number[] = [
  Tag.ImageDescription,
  Tag.Make,
  Tag.Model,
  Tag.Software,
  Tag.DateTime,
  Tag.Artist,
  Tag.HostComputer,
  Tag.Copyright,
  40091,
  40092,
  40093,
  40094,
  40095,
];

/** The first byte of an IPTC record: IIM 4.2 §1.5. */
const IIM_MARKER = 0x1c;

type Kind = 'page' | 'exif' | 'gps' | 'interop' | 'child';

interface Walk {
  /** The directory of the first page (of IFD0, in an Exif payload). */
  readonly first: Directory | null;
  /** Directories in the main chain. */
  readonly pages: number;
  /** For a file: pages after the first that are smaller versions of another one. */
  readonly reduced: number;
}

/**
 * Follows every link of a TIFF structure once, breadth first, and records what the fields embed.
 * @param governs whether this structure describes the decoded picture: its orientation and its colour space
 * @param file a TIFF file, whose directories are pages; otherwise an Exif payload, whose second directory is
 * the thumbnail
 * @param onPage called for every directory of a file that has picture data @yields as scanners do
 */
export function* walkDirectories(
  tiff: Tiff,
  draft: FactsDraft,
  options: { governs: boolean; file: boolean },
  onPage?: (page: Directory) => Generator<number, void>,
): Generator<number, Walk> {
  const queue: { at: number; kind: Kind }[] = [{ at: tiff.header.first, kind: 'page' }];
  let first: Directory | null = null;
  let linked = 0;
  let pages = 0;
  let reduced = 0;
  for (let n = 0; n < queue.length; n++) {
    yield* draft.workOff(tiff.window);
    const { at, kind } = queue[n]!;
    const directory = tiff.directory(at);
    if (directory === null) continue;
    if (kind === 'page') {
      if (linked === 0 && options.governs) draft.orient(tiff.number(directory.fields.get(Tag.Orientation)));
      first ??= directory;
      linked += 1;
      pages += 1;
      if (options.file && first !== directory && isReduced(tiff, directory)) reduced += 1;
      if (directory.next > 0 && queue.length < MAX_DIRECTORIES)
        queue.push({ at: directory.next, kind: 'page' });
    }
    noteOwn(tiff, directory, kind, draft, options.file);
    if (options.governs) noteColour(tiff, directory, kind, draft);
    noteEmbedded(tiff, directory, draft);
    const pictures = kind === 'page' || kind === 'child';
    if (pictures && options.file && onPage) yield* onPage(directory);
    if (pictures && (options.file ? isReduced(tiff, directory) : kind === 'page' && linked > 1)) {
      noteThumbnail(tiff, directory, draft);
    }
    queueLinks(tiff, directory, queue);
  }
  yield* draft.workOff(tiff.window);
  return { first, pages, reduced };
}

/** Records the blocks that the directory itself is. */
function noteOwn(tiff: Tiff, directory: Directory, kind: Kind, draft: FactsDraft, file: boolean): void {
  const { window } = tiff;
  if (kind === 'gps') draft.blockIn(window, 'gps', directory.start, directory.end);
  if (kind === 'exif' && file) draft.blockIn(window, 'exif', directory.start, directory.end);
}

/** Writes what Exif says about the colour space. */
function noteColour(tiff: Tiff, { fields }: Directory, kind: Kind, draft: FactsDraft): void {
  const { colorimetry } = draft;
  if (kind === 'exif') {
    const space = tiff.number(fields.get(Tag.ColorSpace));
    if (space >= 0) colorimetry.exifColorSpace ??= space;
  }
  if (kind === 'interop') {
    const index = fields.get(Tag.InteroperabilityIndex);
    // "R98\0", "R03\0", "THM\0": ASCII, always inline
    const text = index?.type === 2 ? tiff.window.text(index.at, index.at + Math.min(index.bytes, 4), 4) : '';
    if (text.length > 0) colorimetry.interopIndex ??= text.replace(/\0.*$/, '');
  }
}

/** Records the blocks that are values of a field. */
function noteEmbedded(tiff: Tiff, { fields }: Directory, draft: FactsDraft): void {
  const { window } = tiff;
  const range = (tag: number): Entry | null => {
    const entry = fields.get(tag);
    return entry && entry.bytes > 0 && entry.at < window.length ? entry : null;
  };
  const xmp = range(Tag.XMP);
  if (xmp) {
    draft.blockIn(window, 'xmp', xmp.at, xmp.at + xmp.bytes);
    searchXmp(window, xmp.at, Math.min(xmp.at + xmp.bytes, window.length), draft);
  }
  const iptc = range(Tag.IPTC);
  if (iptc) {
    draft.blockIn(window, 'iptc', iptc.at, iptc.at + iptc.bytes);
    // Some programs store it as words, and so in the byte order of the file.
    const isSwapped = iptc.type === 4 && window.u8(iptc.at) !== IIM_MARKER;
    draft.payload('iptc', window, iptc.at, iptc.at + iptc.bytes, isSwapped ? SWAPPED_WORDS : '');
  }
  const photoshop = range(Tag.Photoshop);
  if (photoshop) {
    const end = Math.min(photoshop.at + photoshop.bytes, window.length);
    draft.blockIn(window, 'photoshop', photoshop.at, end);
    draft.nest('photoshop', window.window(photoshop.at, end));
  }
  const icc = range(Tag.ICCProfile);
  if (icc) draft.blockIn(window, 'icc', icc.at, icc.at + icc.bytes);
  const maker = range(Tag.MakerNote);
  if (maker) draft.blockIn(window, 'makernote', maker.at, maker.at + maker.bytes);
}

/** Records a picture's data, a complete JPEG or strips, as a thumbnail. */
function noteThumbnail(tiff: Tiff, { fields }: Directory, draft: FactsDraft): void {
  const pairs = [
    [Tag.JPEGInterchangeFormat, Tag.JPEGInterchangeFormatLength],
    [Tag.StripOffsets, Tag.StripByteCounts],
    [Tag.TileOffsets, Tag.TileByteCounts],
  ] as const;
  for (const [offsets, lengths] of pairs) {
    const start = tiff.number(fields.get(offsets));
    const length = tiff.number(fields.get(lengths));
    if (start > 0 && length > 0) {
      draft.blockIn(tiff.window, 'thumbnail', start, start + length);
      return;
    }
  }
}

/** NewSubfileType bit 0, or the older SubfileType 2: a smaller version of another picture in the file. */
function isReduced(tiff: Tiff, { fields }: Directory): boolean {
  return (
    (tiff.number(fields.get(Tag.NewSubfileType)) & 1) === 1 || tiff.number(fields.get(Tag.SubfileType)) === 2
  );
}

function queueLinks(tiff: Tiff, { fields }: Directory, queue: { at: number; kind: Kind }[]): void {
  const single = [
    [Tag.ExifIFD, 'exif'],
    [Tag.GPSInfo, 'gps'],
    [Tag.InteroperabilityIFD, 'interop'],
  ] as const;
  for (const [tag, kind] of single) {
    const at = tiff.number(fields.get(tag));
    if (at > 0 && queue.length < MAX_DIRECTORIES) queue.push({ at, kind });
  }
  const children = fields.get(Tag.SubIFDs);
  const count = Math.min(children?.count ?? 0, MAX_SUB_DIRECTORIES);
  for (let i = 0; i < count; i++) {
    const at = tiff.number(children, i);
    if (!(at > 0) || queue.length >= MAX_DIRECTORIES) return;
    queue.push({ at, kind: 'child' });
  }
}

/**
 * Records the descriptive fields of a TIFF page as `exif`: from the first to the last byte of their values'
 * entries.
 */
export function noteDescriptive(tiff: Tiff, { fields }: Directory, draft: FactsDraft): void {
  for (const tag of DESCRIPTIVE_TAGS) {
    const entry = fields.get(tag);
    if (entry && entry.bytes > 0) draft.blockIn(tiff.window, 'exif', entry.at, entry.at + entry.bytes);
  }
}
