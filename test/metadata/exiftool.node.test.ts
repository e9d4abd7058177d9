import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockNames, scan } from '../../src/metadata/scan.ts';
import { fixtures } from '../fixtures/metadata/all.ts';

/** An independent reader: exiftool by Phil Harvey, https://exiftool.org; Debian's libimage-exiftool-perl. */
const version = spawnSync('exiftool', ['-ver'], { encoding: 'utf8' }).stdout?.trim();
if (!version) console.log('skipped: exiftool is not installed (libimage-exiftool-perl)');

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

/** Groups and tags of exiftool by which a block is told. In a TIFF the first directory is the picture, so only others count. */
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
};
/** C2PA is JUMBF to exiftool; what follows an image it does not name. */
const UNKNOWN_TO_EXIFTOOL = ['trailer', 'gainmap', 'motion_photo', 'unknown'];

const namesIn = (tags: Tags) =>
  Object.entries(MARKS)
    .filter(([, mark]) => Object.keys(tags).some((tag) => mark.test(tag)))
    .map(([name]) => name);

describe.skipIf(!version)(`agreement with exiftool ${version}`, () => {
  const read = version ? readAll() : [];

  it('finds most blocks in most files', () => {
    // what makes the rest of this file mean something
    expect(read.length).toBe(files.length);
    expect(read.filter((tags) => namesIn(tags).length > 0).length).toBeGreaterThan(files.length / 3);
  });

  it.each(files.map((file, index) => ({ ...file, index })))('$name', ({ bytes, blocks, exiftool, index }) => {
    const tags = read[index]!;
    const theirs = namesIn(tags);
    const expected = exiftool ?? blocks.filter((name) => !UNKNOWN_TO_EXIFTOOL.includes(name));
    for (const name of expected) expect(theirs).toContain(name === 'c2pa' ? 'jumbf' : name);
    // and it finds nothing that was not found here
    const found: string[] = blockNames(scan(bytes)!).map((name) => (name === 'c2pa' ? 'jumbf' : name));
    for (const name of theirs) expect(found).toContain(name);
  });

  it.each(files.map((file, index) => ({ ...file, index })))(
    '$name: orientation, place and size',
    ({ name, bytes, index }) => {
      const tags = read[index]!;
      const facts = scan(bytes)!;
      const orientation = tags['IFD0:Orientation'];
      const orients = facts.format !== 'avif' && Number(orientation) >= 1 && Number(orientation) <= 8;
      // Exif in Photoshop resources and in raw profiles turns nothing; exiftool does not tell where a tag was
      const inside = name.includes('Photoshop resources') || name.includes('raw profile');
      if (orients && !inside) {
        expect(facts.orientation).toBe(orientation);
      }
      if (Object.keys(tags).some((tag) => /^(GPS|XMP-exif):GPS/.test(tag))) expect(facts.hasGps).toBe(true);
      const width = tags['File:ImageWidth'] ?? tags['PNG:ImageWidth'] ?? tags['GIF:ImageWidth'];
      if (width !== undefined && Number(tags['File:ImageHeight'] ?? 1) > 0) expect(facts.width).toBe(width);
    },
  );
});
