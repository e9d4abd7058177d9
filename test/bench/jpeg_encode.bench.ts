// JPEG encoding in the core, side by side with libjpeg-turbo (sharp: one thread, optimised and standard
// Huffman tables) and MozJPEG (jSquash): CPU time, size, memory. Pixels come from memory, so that nothing
// else is measured.
import '../../scripts/plain_node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Raster } from '../../src/codecs/types.ts';
import type { Core } from '../../src/core/instance.ts';
import { corpusFolder } from '../fixtures/corpus.ts';
import { photoFile } from './photos.ts';
import { startTable, tableRow } from './table.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { stripsIn } = await import('../fixtures/raster.ts');
const { openJpeg } = await import('../fixtures/open_jpeg.ts');
const { jpegEncoder } = await import('../../src/codecs/jpeg/encoder.ts');
const { createCore } = await import('../../src/core/instance.ts');
const encoder = await import('@jsquash/jpeg/encode.js');
await encoder.init((await import('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')).default);

const ROOM = 1 << 30;
const STRIP_ROWS = 16;
sharp.concurrency(1);
sharp.cache(false);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  readonly rgb: Uint8Array;
}

async function pixelsOf(file: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  const rgba = await sharp(data, { raw }).ensureAlpha().raw().toBuffer();
  return { width: info.width, height: info.height, rgba, rgb: data };
}

/** Strips are copied into the core, as a decoder's would be written there. */
function rasterOver({ width, height, rgba }: Pixels, core: Core): Raster {
  function* cut() {
    for (let y = 0; y < height; y += STRIP_ROWS) {
      const rows = Math.min(STRIP_ROWS, height - y);
      yield { y, rows, pixels: rgba.subarray(y * width * 4, (y + rows) * width * 4) };
    }
  }
  const strips = () => stripsIn(core, width, STRIP_ROWS, cut());
  return { width, height, opaque: true, grey: false, core, strips };
}

/** Least CPU milliseconds of several rounds run in turn, and the bytes written. */
async function raceToBytes(contenders: Record<string, () => Promise<number>>, rounds: number) {
  const bytes: Record<string, number> = {};
  const runs = Object.entries(contenders).map(
    ([name, run]) => [name, async () => (bytes[name] = await run())] as const,
  );
  const times = await race(Object.fromEntries(runs), rounds, cpuTime);
  return Object.keys(contenders).map((name) => ({ name, time: times[name]!, bytes: bytes[name]! }));
}

async function measure(name: string, pixels: Pixels, quality: number, rounds: number, withJsquash: boolean) {
  const { width, height, rgb, rgba } = pixels;
  const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4';
  const image = () => sharp(rgb, { raw: { width, height, channels: 3 } });
  let held = 0;
  const [core, theirs, standard, jsquash] = await raceToBytes(
    {
      async core() {
        using rowsCore = createCore();
        using output = await jpegEncoder.encode(rasterOver(pixels, rowsCore), quality, ROOM);
        held = rowsCore.heldBytes + output.retainedBytes;
        return output.bytes.length;
      },
      sharp: async () => (await image().jpeg({ quality, chromaSubsampling }).toBuffer()).length,
      'standard tables': async () =>
        (await image().jpeg({ quality, chromaSubsampling, optimiseCoding: false }).toBuffer()).length,
      ...(withJsquash && {
        jSquash: async () => {
          const data = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length);
          const frame = { data, width, height, colorSpace: 'srgb' };
          return (await encoder.default(frame, { quality })).byteLength;
        },
      }),
    },
    rounds,
  );
  const predicted = totalBytes(jpegEncoder.cost({ width, height }, quality));
  const [time, besides] = [core!.time, theirs!.time].map((each) => ms(each).replace(' ms', ''));
  tableRow(
    `${name}, q${quality} ${chromaSubsampling}`,
    `${time} / ${besides} ms`,
    ratio(core!.bytes, theirs!.bytes),
    ms(standard!.time),
    jsquash ? `${ms(jsquash.time)}, ${ratio(core!.bytes, jsquash.bytes)}` : '',
    `${megabytes(held)} of ${megabytes(predicted)}`,
  );
}

/** Decoding and encoding at one sampling: by the stored samples, by pixels, and sharp. */
async function measureRoundTrip(pixels: Pixels, quality: number, chromaSubsampling: string) {
  const { width, height, rgb } = pixels;
  const raw = { width, height, channels: 3 } as const;
  const file = new Uint8Array(await sharp(rgb, { raw }).jpeg({ quality: 90, chromaSubsampling }).toBuffer());
  const roundTrip = async (bySamples: boolean) => {
    using raster = openJpeg(file);
    return (await jpegEncoder.encode(bySamples ? raster : { ...raster }, quality, ROOM)).bytes.length;
  };
  const [bySamples, byPixels, theirs] = await raceToBytes(
    {
      samples: () => roundTrip(true),
      pixels: () => roundTrip(false),
      sharp: async () => (await sharp(file).jpeg({ quality, chromaSubsampling }).toBuffer()).length,
    },
    6,
  );
  console.log(
    `JPEG → JPEG, ${chromaSubsampling} q${quality}: by stored samples ${ms(bySamples!.time)}, by pixels ${ms(byPixels!.time)} (${ratio(bySamples!.time, byPixels!.time)}), sharp ${ms(theirs!.time)} (${ratio(bySamples!.time, theirs!.time)})`,
  );
}

startTable('JPEG encoding', [
  'JPEG encode, optimised tables',
  'core / sharp',
  'size',
  'sharp with standard tables',
  'jSquash, size beside it',
  'holds, of what is predicted',
]);
for (const megapixels of [1, 12, 24, 50]) {
  const pixels = await pixelsOf(await photoFile(megapixels, 'jpeg'));
  for (const quality of megapixels === 12 ? [50, 75, 92, 100] : [75, 92]) {
    await measure(`${megapixels} MP`, pixels, quality, megapixels < 20 ? 6 : 3, megapixels < 2);
  }
}
for (const name of ['Apple_iPhone_6.jpg', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg']) {
  const path = `${corpusFolder}/jpeg-camera/metadata-extractor-images__${name}`;
  if (!existsSync(path)) console.log(`${name}: not here`);
  else
    for (const quality of [75, 92])
      await measure(name, await pixelsOf(readFileSync(path)), quality, 4, false);
}
console.log();
const twelve = await pixelsOf(await photoFile(12, 'jpeg'));
await measureRoundTrip(twelve, 75, '4:2:0');
await measureRoundTrip(twelve, 92, '4:4:4');
