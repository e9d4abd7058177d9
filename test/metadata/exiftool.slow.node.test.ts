import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockNames } from '../../src/metadata/block_names.ts';
import { scan } from '../../src/metadata/scan.ts';
import { hasPosition } from '../../src/metadata/values/values.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import { haveTools } from '../fixtures/tools.ts';
import { valuesOf } from './values/read.ts';

const haveExiftool = haveTools('exiftool');

const files = Object.values(fixtures).flatMap(({ whole }) => whole);
const EXTENSIONS = { jpeg: 'jpg', png: 'png', webp: 'webp', avif: 'avif', tiff: 'tif', gif: 'gif' } as const;

type Tags = Readonly<Record<string, unknown>>;

/** What exiftool reads of every file: its tags, named "Group:Tag". */
function readAll(): Tags[] {
  const folder = mkdtempSync(join(tmpdir(), 'exiftool-'));
  try {
    const paths = files.map(({ bytes, facts }, index) => {
      const path = join(folder, `${index}.${EXTENSIONS[facts.format as keyof typeof EXTENSIONS]}`);
      writeFileSync(path, bytes);
      return path;
    });
    const { stdout } = spawnSync(
      'exiftool',
      ['-j', '-G1', '-a', '-u', '-n', '-api', 'RequestAll=2', ...paths],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      },
    );
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Groups and tags of exiftool by which a block is told. In a TIFF the first directory is the picture, so only
 * others count.
 */
const MARKS: Readonly<Record<string, RegExp>> = {
  exif: /^(IFD0:(Make|Model|ImageDescription|Software)|ExifIFD:|InteropIFD:)/,
  gps: /^GPS:/,
  iptc: /^IPTC\d*:/,
  photoshop: /^Photoshop:(?!XMP|IPTCDigest)/,
  xmp: /^XMP-/,
  icc: /^ICC[-_]/,
  comment: /^(File|GIF):Comment/,
  text: /^PNG:(Author|Comment)/,
  thumbnail: /^(IFD1|Photoshop):(Thumbnail(Offset|Image)|PhotoshopThumbnail)/,
  mpf: /^MPF\d*:/,
  jumbf: /^JUMBF:/,
  makernote: /MakerNote/,
  timestamp: /^PNG:ModifyDate/,
  suggested_palette: /^PNG:SuggestedPalette/,
  histogram: /^PNG:PaletteHistogram/,
  image_offset: /^PNG:ImageOffset/,
};
/** What exiftool 12.57 has no name for. C2PA is JUMBF to it. */
const NAMELESS = ['trailer', 'gainmap', 'motion_photo', 'unknown', 'free_space'];
/** Blocks of single files that it does not see, or does not call by a group of its own. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  'jpeg: Exif that is no TIFF': ['exif'],
  'jpeg: GPS in XMP, UTF-16 little-endian': ['xmp'],
  'jpeg: GPS in XMP, UTF-16 big-endian': ['xmp'],
  // of second pictures
  'jpeg: stereo pair': ['xmp'],
  'jpeg: the colour space of a second picture is none of the first': ['exif'],
  'jpeg: ICC profile that lacks a segment': ['icc'],
  'jpeg: a second Exif structure in APP3': ['exif'],
  'jpeg: thumbnail of JFIF': ['thumbnail'],
  'jpeg: thumbnail of JFIF extension': ['thumbnail'],
  'jpeg: bytes before EOI': ['comment'], // behind the first scan, as in the next file
  'jpeg: Exif and a comment between scans': ['exif', 'gps', 'comment'],
  'png: raw profile: Photoshop': ['photoshop'], // only the IPTC within
  'png: a wrong CRC that does not matter': ['text'],
  'webp: C2PA': ['c2pa'],
  'avif: items in idat': ['exif', 'gps'],
  'avif: thumbnail': ['thumbnail'],
  'avif: uuid boxes': ['c2pa'],
  'avif: C2PA as JUMBF at the top': ['c2pa'],
  'tiff: everything, BigTIFF': ['exif', 'gps'],
  'tiff: everything, BigTIFF, big-endian': ['exif', 'gps'],
  'tiff: Exif hidden in Photoshop resources': ['photoshop'],
  'tiff: a smaller version in a child': ['thumbnail'],
  'tiff: a smaller version as second page': ['thumbnail'],
  'gif: plain text': ['text'],
  'gif: a terminator too many': ['comment'],
};

const namesIn = (tags: Tags) =>
  Object.entries(MARKS)
    .filter(([, mark]) => Object.keys(tags).some((tag) => mark.test(tag)))
    .map(([name]) => name);

/** An independent reader: exiftool by Phil Harvey, https://exiftool.org. */
describe.skipIf(!haveExiftool)('agreement with exiftool', () => {
  const read = haveExiftool ? readAll() : [];
  const cases = files.map((file, index) => ({ ...file, index }));

  it('finds blocks in many files', () => {
    // what makes the rest of this file mean something
    expect(read.length).toBe(files.length);
    expect(read.filter((tags) => namesIn(tags).length > 0).length).toBeGreaterThan(files.length / 3);
  });

  it.each(cases)('$name', ({ name, bytes, index }) => {
    const ours = blockNames(scan(bytes)!).filter((block) => !NAMELESS.includes(block));
    const unseen = UNSEEN[name] ?? [];
    const expected = ours
      .filter((block) => !unseen.includes(block))
      .map((block) => (block === 'c2pa' ? 'jumbf' : block));
    expect(namesIn(read[index]!).sort()).toEqual(expected.sort());
    for (const block of unseen) expect(ours).toContain(block);
  });

  it('is excused only for files that there are', () => {
    const names = files.map(({ name }) => name);
    for (const name of Object.keys(UNSEEN)) expect(names).toContain(name);
  });

  it.each(cases)('$name: orientation, place and size', ({ name, bytes, index }) => {
    const tags = read[index]!;
    const facts = scan(bytes)!;
    const orientation = Number(tags['IFD0:Orientation']);
    // Exif in Photoshop resources and in raw profiles turns nothing; exiftool does not tell where a tag was
    const inside = /Photoshop resources|raw profile|eXIf behind the data/.test(name);
    if (facts.format !== 'avif' && !inside && orientation >= 1 && orientation <= 8) {
      expect(facts.orientation).toBe(orientation);
    }
    const place = Object.keys(tags).some((tag) => /^(GPS|XMP-exif):GPS(?!VersionID)/.test(tag));
    if (place) expect(hasPosition(valuesOf(bytes)!)).toBe(true);
    const width = tags['File:ImageWidth'] ?? tags['PNG:ImageWidth'] ?? tags['GIF:ImageWidth'];
    if (width !== undefined) expect(facts.width).toBe(width);
  });
});
