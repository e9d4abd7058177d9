import { describe, expect, it } from 'vitest';
import type { BlockName, FileFacts } from '../../src/metadata/facts.ts';
import { scan } from '../../src/metadata/scan.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';
import { iccProfile } from '../fixtures/metadata/payloads.ts';

const named = (name: string) => {
  const fixture = allFixtures.find((each) => each.name === name);
  if (!fixture) throw new Error(`no fixture is called ${name}`);
  return { bytes: fixture.bytes, facts: scan(fixture.bytes)! };
};
/** Printable characters as they are, other bytes as <ff>. */
const text = (bytes: Uint8Array) =>
  [...bytes]
    .map((byte) =>
      byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : `<${byte.toString(16).padStart(2, '0')}>`,
    )
    .join('');
const block = ({ bytes, facts }: { bytes: Uint8Array; facts: FileFacts }, name: BlockName) => {
  const found = facts.blocks.find((each) => each.name === name)!;
  return { ...found, text: text(bytes.subarray(found.start, found.end)) };
};

/** A profile as the colour step would read it. */
async function profile({
  bytes,
  facts,
}: {
  bytes: Uint8Array<ArrayBuffer>;
  facts: FileFacts;
}): Promise<Uint8Array> {
  const { pieces, encoding } = facts.colorimetry!.icc!;
  const joined = new Blob(pieces.map(({ start, end }) => bytes.slice(start, end)));
  const stream =
    encoding === 'zlib' ? joined.stream().pipeThrough(new DecompressionStream('deflate')) : joined.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

describe('where blocks lie', () => {
  it('JPEG: whole segments, and what they embed', () => {
    const file = named('jpeg: Exif with all it can hold, little-endian');
    const exif = block(file, 'exif');
    expect(exif.text).toMatch(/^<ff><e1>.{2,8}Exif<00><00>II\*<00>/);
    expect(text(file.bytes.subarray(exif.end, exif.end + 2))).toBe('<ff><db>');
    expect(block(file, 'makernote').text).toBe('a maker note of ACME');
    expect(block(file, 'thumbnail').text).toMatch(/^<ff><d8>.*<ff><d9>$/);
    // five entries of twelve bytes, their number, the link
    const gps = block(file, 'gps');
    expect(gps.end - gps.start).toBe(2 + 5 * 12 + 4);
    expect(gps.text.slice(0, 4)).toBe('<05>');
    expect(gps.start > exif.start && gps.end <= exif.end).toBe(true);
  });

  it.each([
    ['jpeg: comment', 'comment', /^<ff><fe><00><0e>made by hand$/],
    ['jpeg: XMP', 'xmp', /^<ff><e1>.{2,8}http:.*\?>$/],
    ['jpeg: stereo pair', 'mpf', /^<ff><e2>.{2,8}MPF<00>/],
    ['jpeg: bytes between segments', 'unknown', /^secret$/],
    ['jpeg: bytes before EOI', 'unknown', /^secret<ff><00>$/],
    ['avif: free space', 'free_space', /^.{4,16}freexx$/],
    ['jpeg: motion photo', 'trailer', /^<00><00><00><14>ftyp.*more$/],
    ['jpeg: motion photo', 'motion_photo', /^<00><00><00><14>ftyp.*more$/],
    ['jpeg: Ultra HDR', 'gainmap', /^<ff><d8>.*<ff><d9>$/],
    ['jpeg: all Photoshop resources', 'iptc', /^<1c><02><05><00><01>x$/],
    ['jpeg: all Photoshop resources', 'exif', /^II\*<00>/],
    ['png: XMP', 'xmp', /^.{4,16}iTXtXML:com\.adobe\.xmp/],
    ['png: time', 'timestamp', /^<00><00><00><07>tIME.{11,44}$/],
    ['png: raw profile: Exif', 'exif', /^.{4,16}tEXtRaw profile type exif/],
    ['png: bytes after the end', 'trailer', /^PK$/],
    ['png: video after the end', 'motion_photo', /^<00><00><00><14>ftyp/],
    ['webp: everything', 'exif', /^EXIF.{4,16}II/],
    ['webp: a chunk nobody knows', 'unknown', /^zzzz<03><00><00><00>odd$/],
    ['webp: bytes after the end', 'trailer', /^PK$/],
    ['gif: comment', 'comment', /^!<fe><0c>made by hand<00>$/],
    ['gif: XMP', 'xmp', /^!<ff><0b>XMP DataXMP.*<00>$/],
    ['gif: bytes after the end', 'trailer', /^PK$/],
    ['tiff: everything, little-endian', 'icc', /^<00><00><00><a0>.*acsp/],
    ['tiff: everything, big-endian', 'makernote', /^a maker note$/],
    ['tiff: bytes after the end', 'trailer', /^PKPK$/],
    ['avif: Exif and XMP', 'exif', /^<00><00><00><00>II\*<00>/],
    ['avif: Exif and XMP', 'xmp', /^<\?xpacket.*\?>$/],
    ['avif: ICC profile', 'icc', /^.{4,16}colrprof/],
    ['avif: bytes after the end', 'trailer', /^<00><00>PK$/],
  ] as const)('%s: %s', (name, blockName, pattern) => {
    expect(block(named(name), blockName).text).toMatch(pattern);
  });
});

describe('where profiles lie', () => {
  it.each([
    'jpeg: ICC profile in two segments, the second first',
    'jpeg: ICC profile in eleven segments, backwards',
    'png: iCCP',
    'webp: everything',
    'gif: ICC profile',
    'tiff: everything, little-endian',
    'avif: ICC profile',
    'avif: restricted ICC profile',
  ])('%s', async (name) => {
    expect(await profile(named(name))).toEqual(iccProfile);
  });

  it('a name that no fixture has is refused', () => {
    expect(() => named('no such file')).toThrow();
  });
});
