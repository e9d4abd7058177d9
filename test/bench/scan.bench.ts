/**
 * Speed of the metadata scanner beside exifr, on the same bytes in the same run: `node
 * test/bench/scan.bench.ts [folder …]`. Files are made here (25 MB of image data each, which a scanner must
 * get past), and real ones come from the folders named, or from the corpus where that exists. The two
 * take turns; the best round of each counts, as other work on the machine only slows. The two do not do the
 * same: exifr decodes values and stops at the image data, the scanner walks every byte to the file's end,
 * tells whether the file is whole, and checks the CRC of PNG chunks. So the table gives megabytes of file a
 * second, and no winner.
 */
import '../../scripts/plain_node.mjs';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import exifr from 'exifr';
import { bytes } from '../fixtures/bytes.ts';
import { corpusFolder, corpusPresent } from '../fixtures/corpus.ts';
import { exifSegment, JFIF, jpeg } from '../fixtures/jpeg_writer/segments.ts';
import { exifPayload, gpsFields } from '../fixtures/metadata/payloads.ts';
import { header } from '../fixtures/metadata/small_png.ts';
import { PNG_END, PNG_SIGNATURE, pngChunk } from '../fixtures/png_writer.ts';
import { seededBelow } from '../fixtures/random.ts';
import { vp8x } from '../fixtures/webp_writer.ts';

// After the hooks: it loads WebAssembly.
const { scan } = await import('../../src/metadata/scan.ts');

const ROUNDS = 9;
const LARGE = 25 * 1024 * 1024 - 4096;
const SMALLEST = 64 * 1024;
const EXTENSIONS = /\.(jpe?g|png|webp|avif|tiff?|gif|mpo)$/i;
const OPTIONS = {
  tiff: true,
  exif: true,
  gps: true,
  ifd1: true,
  xmp: true,
  icc: true,
  iptc: true,
  makerNote: true,
};

type Sample = readonly [name: string, files: readonly Uint8Array<ArrayBuffer>[]];

/** Bytes like those of entropy-coded data: uniform, every FF stuffed. */
function entropy(length: number): Uint8Array {
  const data = new Uint8Array(length);
  const random = seededBelow(1);
  for (let at = 0; at < length; at++) data[at] = data[at - 1] === 0xff ? 0 : random(256);
  return data;
}

/** Parts joined without the detour of the fixture writer, which is made for small ones. */
function join3(head: Uint8Array, body: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(head.length + body.length + tail.length);
  out.set(head);
  out.set(body, head.length);
  out.set(tail, head.length + body.length);
  return out;
}

function made(): Sample[] {
  const data = entropy(LARGE);
  const exif = exifPayload({ gps: gpsFields, orientation: 6 });
  const image = jpeg({ head: [JFIF, exifSegment(exif)], end: [] });
  // the CRC of so large a chunk is left wrong: it is computed all the same
  const idat = new DataView(new ArrayBuffer(4));
  idat.setUint32(0, LARGE);
  const pngHead = bytes(
    PNG_SIGNATURE,
    header(8, 0),
    pngChunk('eXIf', exif),
    new Uint8Array(idat.buffer),
    'IDAT',
  );
  const riff = new DataView(new ArrayBuffer(8));
  riff.setUint32(0, LARGE + 38, true);
  riff.setUint32(4, LARGE, true);
  const size = (at: number) => new Uint8Array(riff.buffer, at, 4);
  return [
    ['made: JPEG, 25 MB', [join3(image, data, bytes(0xff, 0xd9))]],
    ['made: PNG, 25 MB in one chunk', [join3(pngHead, data, bytes(0, 0, 0, 0, PNG_END))]],
    [
      'made: WebP, 25 MB',
      [join3(bytes('RIFF', size(0), 'WEBP', vp8x(5, 4), 'VP8L', size(4)), data, bytes())],
    ],
  ];
}

/** Real files of the folders, by extension. */
function real(folders: readonly string[]): Sample[] {
  const groups = new Map<string, Uint8Array<ArrayBuffer>[]>();
  for (const folder of folders) {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const full = join(folder, path);
      const kind = EXTENSIONS.exec(path)?.[1]?.toLowerCase().replace('jpeg', 'jpg').replace('tiff', 'tif');
      if (!kind || /damaged|bomb|truncated|bitflip|unsupported|not-image/.test(path)) continue;
      if (statSync(full).size < SMALLEST) continue;
      groups.set(kind, [...(groups.get(kind) ?? []), new Uint8Array(readFileSync(full))]);
    }
  }
  return [...groups].map(([kind, files]) => [`real: ${kind}, ${files.length} files`, files] as const);
}

/** Milliseconds that all files take. exifr throws on what it does not read; null then. */
async function timeExifr(files: readonly Uint8Array<ArrayBuffer>[]): Promise<number | null> {
  const start = performance.now();
  let read = 0;
  for (const file of files) {
    try {
      await exifr.parse(file, OPTIONS);
      read += 1;
    } catch {
      // not a format of its, or broken in its eyes
    }
  }
  return read === 0 ? null : performance.now() - start;
}

function timeScan(files: readonly Uint8Array[]): number {
  const start = performance.now();
  for (const file of files) scan(file);
  return performance.now() - start;
}

const least = (times: readonly (number | null)[]) =>
  Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));

const named = process.argv.slice(2);
const folders = named.length > 0 ? named : corpusPresent ? [corpusFolder] : [];
console.log('| files | MB | scan MB/s | exifr MB/s | scan ms/file | exifr ms/file |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, files] of [...made(), ...real(folders)]) {
  const megabytes = files.reduce((sum, file) => sum + file.length, 0) / 1e6;
  const ours: number[] = [];
  const theirs: (number | null)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(timeScan(files));
    theirs.push(await timeExifr(files));
  }
  const speed = (time: number) =>
    Number.isFinite(time) ? ((megabytes / time) * 1000).toFixed(0) : 'does not read';
  const each = (time: number) => (Number.isFinite(time) ? (time / files.length).toFixed(3) : '–');
  const [a, b] = [least(ours), least(theirs)];
  console.log(`| ${name} | ${megabytes.toFixed(1)} | ${speed(a)} | ${speed(b)} | ${each(a)} | ${each(b)} |`);
}
