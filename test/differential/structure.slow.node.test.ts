import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { InputFormat } from '../../src/metadata/facts.ts';
import { writeGif } from '../fixtures/gif_writer.ts';
import { profiles } from '../fixtures/icc_writer.ts';
import { randomJpeg, samplingOf } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { exifPayload, gpsFields } from '../fixtures/metadata/payloads.ts';
import { pngChunk, writePng } from '../fixtures/png_writer.ts';
import { gammaChunk, profileChunk, profiledJpeg } from '../fixtures/profiled_files.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitized } from '../fixtures/sanitized.ts';
import { structuralMutant } from '../fixtures/structural_mutations.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';
import { writeTiff } from '../fixtures/tiff_writer.ts';
import { haveTools } from '../fixtures/tools.ts';
import { byChromium, byLibtiff, bySharp, type Shown } from './readers.ts';

/** Mutants of each file. */
const SEEDS = 40;
/** Mean difference of two readings of the same picture: colour conversion and upsampling differ a little. */
const SAME = 6;

const [width, height] = [48, 32];
const picture = photoPicture(width, height, 3);

/** Files of each format, with as many kinds of blocks as a writer makes. */
async function baseFiles(): Promise<Readonly<Record<InputFormat, readonly Uint8Array[]>>> {
  const jpeg = (mode: 'baseline' | 'progressive') =>
    tagJpeg(
      profiledJpeg(
        writeJpeg(randomJpeg({ width, height, sampling: samplingOf('21 11 11'), mode, restart: 4, seed: 3 })),
        profiles.displayP3(),
        300,
      ),
      { orientation: 6, gps: gpsFields },
    );
  const colours = Array.from({ length: 16 }, (_, at) => [at * 16, 255 - at * 16, (at * 40) & 255] as const);
  const early = [gammaChunk(1), profileChunk(profiles.displayP3())];
  const late = [pngChunk('eXIf', exifPayload({ orientation: 3, gps: gpsFields }))];
  const image = sharp(picture.pixels, { raw: { width, height, channels: 4 } });
  return {
    jpeg: [jpeg('baseline'), jpeg('progressive')],
    png: [
      writePng({ width, height, colourType: 2, early, late }),
      writePng({ width, height, colourType: 3, early: [gammaChunk(0.8)] }),
    ],
    webp: [
      new Uint8Array(
        await image
          .clone()
          .withExif({ IFD0: { Artist: 'A' } })
          .webp({ lossless: true })
          .toBuffer(),
      ),
      new Uint8Array(await image.clone().withMetadata().webp({ quality: 90 }).toBuffer()),
    ],
    avif: [await sampleFile('avif', picture)],
    gif: [
      writeGif({
        width,
        height,
        palette: colours,
        indices: Array.from({ length: width * height }, (_, at) => (at * 7) & 15),
        frames: 2,
        comment: 'x',
        transparentIndex: 3,
      }),
    ],
    tiff: [5, 1].map((compression) =>
      writeTiff({
        width,
        height,
        samples: 3,
        photometric: 2,
        compression,
        rowsPerStrip: compression === 5 ? 8 : height,
        value: (x, y, c) => picture.pixels[(y * width + x) * 4 + c]!,
      }),
    ),
  };
}

/** What we show, over white; null where we refuse. */
async function byUs(file: Uint8Array): Promise<Shown | null> {
  try {
    const { bytes } = await sanitized(file, { pixelate: { faces: false } });
    return await bySharp(bytes);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

function agree(a: Shown | null, b: Shown | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.width !== b.width || a.height !== b.height) return false;
  let sum = 0;
  for (let at = 0; at < a.rgb.length; at++) sum += Math.abs(a.rgb[at]! - b.rgb[at]!);
  return sum / a.rgb.length <= SAME;
}

/** Disagreements with both readers, and why they stay (docs/api.md); names are `format file: change`. */
const REASONS: readonly (readonly [cases: RegExp, reason: string])[] = [
  [/^jpeg \d: c4/, 'codes without their table are corrupt: libjpeg decodes garbage, or standard tables'],
  [/^jpeg \d: dd/, 'restart markers that contradict the interval are corrupt'],
  [/^jpeg \d: scan of/, 'scans that are missing, repeated or out of order do not continue each other'],
  [/^jpeg \d: d9 dropped/, 'a file without its end is truncated, and refused'],
  [/^png \d: IEND dropped/, 'a file without its end is truncated, and refused'],
  [/^webp \d: VP8. repeated/, 'the first picture is shown; strict readers refuse a second one'],
  [
    /^avif 0: (?:iinf|iloc|pitm) repeated/,
    'the first box of a kind counts; strict readers refuse a second one',
  ],
  [/^avif 0: iprp dropped/, 'the size is in the bitstream, too; strict readers want it in the container'],
  [
    /^tiff \d: 262 dropped/,
    'three samples are colours; libtiff shows the first one as grey, libvips refuses',
  ],
  [
    /^tiff \d: 278 dropped/,
    'one strip that is too short for the page is corrupt; libtiff leaves the rest black',
  ],
];

const mediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};
const haveReaders = haveTools('chromium', 'tiff2rgba');

describe.skipIf(!haveReaders)('files of another structure, beside two readers', async () => {
  const files = haveReaders ? await baseFiles() : undefined;

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const)(
    'are shown as one of them shows them: %s',
    {
      timeout: 300_000,
    },
    async (format) => {
      const mutants = files![format].flatMap((file, number) =>
        Array.from({ length: SEEDS }, (_, seed) => {
          const { name, bytes } = structuralMutant(format, file, seed + 1);
          return { name: `${format} ${number}: ${name}`, bytes };
        }),
      );
      const theirs =
        format === 'tiff'
          ? undefined
          : byChromium(
              mutants.map(({ bytes }) => bytes),
              mediaTypes[format],
            );
      const unexplained: string[] = [];
      const used = new Set<RegExp>();
      let agreed = 0;
      for (const [index, { name, bytes }] of mutants.entries()) {
        const ours = await byUs(bytes);
        const others = [await bySharp(bytes), theirs ? theirs[index]! : await byLibtiff(bytes)];
        if (others.some((other) => agree(ours, other))) {
          agreed++;
          continue;
        }
        const reason = REASONS.find(([cases]) => cases.test(name));
        if (reason) used.add(reason[0]);
        const said = [ours, ...others].map((one) => (one ? `${one.width} × ${one.height}` : 'refused'));
        if (!reason) unexplained.push(`${name}: ${said.join(', ')}`);
      }
      const differing = mutants.length - agreed;
      console.log(
        `${format}: ${mutants.length} cases, ${agreed} agreed, ${differing} differing with reasons`,
      );
      expect(unexplained).toEqual([]);
      // a reason that is of no use is a fault, too
      for (const [cases] of REASONS) if (cases.source.startsWith(`^${format}`)) expect(used).toContain(cases);
    },
  );
});
