import { describe, expect, it } from 'vitest';
import { blockNames } from '../../src/metadata/block_names.ts';
import { BASE_READS, Cursor } from '../../src/metadata/cursor.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { hiddenData } from '../../src/metadata/jpeg/hidden.ts';
import { scan } from '../../src/metadata/scan.ts';
import { identify } from '../../src/metadata/signatures.ts';
import { hasPosition } from '../../src/metadata/values/values.ts';
import { corpusBytes, corpusManifest, corpusPresent } from '../fixtures/corpus.ts';
import { faultsOf } from './block_faults.ts';
import { valuesOf } from './values/read.ts';

/** One file of the corpus, as far as a scan can know it. */
interface Entry {
  readonly file: string;
  readonly format: string;
  readonly oriented_width?: number;
  readonly oriented_height?: number;
  readonly orientation: number | null;
  readonly frames: number | null;
  readonly has_gps: boolean;
  readonly expected_blocks: {
    readonly must: string[];
    readonly may: string[];
    readonly should_but_often_missed?: string[];
  };
  readonly expect: { readonly status: number[]; readonly strict: boolean };
}

const entries = corpusManifest<Entry>().files;

/** The manifest's names of blocks that are not ours: JFIF and Adobe markers are no metadata here. */
const NAMES: Readonly<Record<string, string | null>> = {
  makernotes: 'makernote',
  png_text: 'text',
  jfif: null,
  adobe: null,
};
const ours = (names: readonly string[] = []) =>
  names.map((name) => (name in NAMES ? NAMES[name] : name)).filter((name) => name !== null);
/** Ours that the manifest does not speak of. */
const UNSPOKEN = [
  'trailer',
  'gainmap',
  'motion_photo',
  'unknown',
  'timestamp',
  'c2pa',
  'jumbf',
  'suggested_palette',
  'histogram',
  'image_offset',
  'free_space',
];

/**
 * Where this scanner and the manifest differ for a reason. Everything else must agree.
 * - Duplicate tags: the first counts here and in libtiff, the last in the tool that made the manifest.
 * - A header that is not believed: a frame of 70 components, a size box in a damaged property list.
 * - Frames: pictures of a pyramid and tiles of a grid are no frames; a track of five samples has five.
 */
const SIZE_DIFFERS = ['crash-63b1dff', 'crash-74d2a78', '754664a12e36', 'avif_headerflip'];
const FRAMES_DIFFER = [
  'star-8bpc-with-alpha',
  'pyramid_pymd',
  'sofa_grid1x5',
  'crash-2020-10-test',
  'seek_too_large',
];
/** Refused by every decoder for codes that only decoding meets. */
const NEEDS_DECODING = ['72d091e08c93c9e590360130fa35221b'];
/**
 * Blocks that the manifest does not list and that are there: seen in a hex dump, most of them by exiftool
 * too.
 */
const MORE_FOUND: Readonly<Record<string, readonly string[]>> = {
  'gif/Pillow__hopper_zero_comment_subblocks.gif': ['comment'],
  'jpeg-damaged/metadata-extractor-images__5633ed9d0eb700d0093bf85d86a95ebf.jpg': ['thumbnail'],
  'jpeg-meta/Pillow__frame_size.mpo': ['xmp'],
  'jpeg-meta/Pillow__iptc.jpg': ['photoshop'],
  'jpeg-meta/gen_exif_between_scans.jpg': ['gps', 'comment'],
  'jpeg-meta/libavif__apple_gainmap_old.jpg': ['xmp'],
  'jpeg-meta/metadata-extractor-images__Issue_258_dotnet_.jpg': ['photoshop'],
  'jpeg-meta/metadata-extractor-images__Issue_600_2_.jpg': ['photoshop'],
  'nofaces/sharp__concert.jpg': ['photoshop'],
  'tiff/image-tiff__usda_naip_256_webp_z3.tif': ['thumbnail'],
  'tiff/metadata-extractor-images__BigTIFFSubIFD4.tif': ['thumbnail'],
  'tiff/metadata-extractor-images__BigTIFFSubIFD8.tif': ['thumbnail'],
  'webp/Pillow__flower.webp': ['makernote', 'thumbnail'],
  'webp/metadata-extractor-images__Issue_473_Java_.webp': ['makernote', 'gps', 'xmp'],
};
const isOneOf = (file: string, parts: readonly string[]) => parts.some((part) => file.includes(part));

const upright = ({ orientation, width, height }: FileFacts) =>
  orientation > 4 ? [height, width] : [width, height];

/** What a scan says otherwise than the manifest. */
function disagreements(entry: Entry, facts: FileFacts, hasGps: boolean): string[] {
  const { file, expected_blocks: expected, expect: answer } = entry;
  const said: string[] = [];
  if (facts.format !== entry.format) said.push(`format ${facts.format}`);
  if (entry.oriented_width !== undefined && !isOneOf(file, SIZE_DIFFERS)) {
    const [width, height] = upright(facts);
    if (width !== entry.oriented_width || height !== entry.oriented_height)
      said.push(`size ${width} × ${height}`);
  }
  if (entry.frames !== null && facts.frames !== entry.frames && !isOneOf(file, FRAMES_DIFFER)) {
    said.push(`frames ${facts.frames}`);
  }
  // the manifest gives the Exif value even where a container does not let Exif orient, or the value makes no
  // sense
  const known = entry.orientation !== null && entry.orientation >= 1 && entry.orientation <= 8;
  if (facts.format !== 'avif' && facts.orientation !== (known ? entry.orientation : 1)) {
    said.push(`orientation ${facts.orientation}`);
  }
  const names = blockNames(facts);
  for (const name of ours(expected.must)) if (!names.includes(name as never)) said.push(`no ${name}`);
  if (answer.strict && answer.status[0] === 200) {
    for (const name of ours(expected.should_but_often_missed))
      if (!names.includes(name as never)) said.push(`missed ${name}`);
  }
  const allowed = [...ours(expected.must), ...ours(expected.may), ...UNSPOKEN, ...(MORE_FOUND[file] ?? [])];
  for (const name of names) if (!allowed.includes(name)) said.push(`unasked ${name}`);
  // any part of a position counts here; the manifest wants a whole one, and says "may: gps" where there is
  // less
  if (hasGps !== entry.has_gps && !(hasGps && expected.may.includes('gps'))) said.push(`gps ${hasGps}`);
  if (answer.strict && answer.status[0] === 200 && !facts.complete)
    said.push(`not complete: ${facts.defect}`);
  if (answer.strict && answer.status[0] === 422 && facts.complete && !isOneOf(file, NEEDS_DECODING))
    said.push('complete');
  return said;
}

describe.skipIf(!corpusPresent)('the corpus', () => {
  const scanned = entries.map((entry) => {
    const bytes = corpusBytes(entry);
    const cursor = new Cursor(bytes);
    return { entry, bytes, cursor, facts: scan(bytes, cursor) };
  });

  // One has a damaged marker: what was a segment of tables is now behind the last MCU before it.
  it('hides nothing in the data of its JPEGs, but for one', () => {
    const jpegs = scanned.filter(({ facts }) => facts?.format === 'jpeg' && facts.complete);
    const hiding = jpegs.filter(({ bytes, facts }) => {
      const search = hiddenData(bytes, facts!);
      for (;;) {
        const { done, value } = search.next();
        if (done) return value.length > 0;
      }
    });
    expect(jpegs.length).toBeGreaterThan(150);
    expect(hiding.map(({ entry }) => entry.file)).toEqual(['jpeg-encoding/wuffs__182.2-byte-change.jpg']);
  });

  it('holds what this test was written for', () => {
    expect(entries.length).toBeGreaterThan(800);
  });

  it('is read as its manifest says', () => {
    const said = scanned.flatMap(({ entry, bytes, facts }) =>
      facts === null
        ? []
        : disagreements(entry, facts, hasPosition(valuesOf(bytes)!)).map((what) => `${entry.file}: ${what}`),
    );
    expect(said).toEqual([]);
  });

  it('is excused only for files that there are', () => {
    const names = entries.map(({ file }) => file);
    for (const file of Object.keys(MORE_FOUND)) expect(names).toContain(file);
    for (const part of [...SIZE_DIFFERS, ...FRAMES_DIFFER, ...NEEDS_DECODING]) {
      expect(names.filter((file) => file.includes(part)).length, part).toBe(1);
    }
  });

  it('has no block outside its file', () => {
    const faults = scanned.flatMap(({ entry, bytes, facts }) =>
      facts === null ? [] : faultsOf(facts, bytes.length).map((fault) => `${entry.file}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('names what is none of the six formats', () => {
    const wrong = scanned.filter(({ entry, facts }) => {
      const readable = entry.expect.strict && entry.expect.status[0] === 200;
      return facts === null && readable;
    });
    expect(wrong.map(({ entry }) => entry.file)).toEqual([]);
    const names = Object.fromEntries(
      scanned
        .filter(
          ({ entry }) => entry.file.startsWith('unsupported-format/') || entry.file.startsWith('not-image/'),
        )
        .map(({ entry, bytes }) => [entry.file.replace(/^.*\//, ''), identify(bytes).name]),
    );
    expect(names).toMatchObject({
      'gen.bmp': 'BMP',
      'gen.heic': 'HEIC',
      'gen.jxl': 'JPEG XL',
      'gen.jxr': 'JPEG XR',
      'gen.pcx': 'PCX',
      'image-size__sample.heic': 'HEIC',
      'image-size__sample.jxl': 'JPEG XL',
      'libvips__blankpage.pdf': 'PDF',
      'libvips__blankpage.svg': 'SVG',
      'libvips__logo.svg': 'SVG',
      'gzip_of_jpeg.jpg': 'gzip archive',
      'html_named.jpg': 'HTML',
      'zero_length.jpg': 'an empty body',
      'zip_of_jpeg.zip': 'ZIP archive',
    });
  });

  it('takes half of the reads allowed, at most', () => {
    const hungry = scanned.filter(
      ({ bytes, cursor }) => cursor.meter.reads > 2 * bytes.length + BASE_READS / 2,
    );
    expect(hungry.map(({ entry }) => entry.file)).toEqual([]);
  });

  it('keeps foreign payloads in sight', () => {
    const polyglots = scanned.filter(({ entry }) => entry.file.startsWith('polyglot/'));
    expect(polyglots.length).toBeGreaterThan(5);
    for (const { entry, facts } of polyglots) {
      expect(
        blockNames(facts!).some((name) => ['trailer', 'comment', 'unknown'].includes(name)),
        entry.file,
      ).toBe(true);
    }
  });
});
