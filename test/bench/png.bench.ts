// PNG through the core, side by side with sharp (one thread, its defaults) and jSquash: CPU time and what is
// held.
import '../../scripts/plain_node.mjs';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { stripsOf } = await import('../fixtures/raster.ts');
const { pngDecoder } = await import('../../src/codecs/png/decoder.ts');
const { pngEncoder } = await import('../../src/codecs/png/encoder.ts');
const { isolateMemoryPool } = await import('../../src/core/memory_pool.ts');
const { scan } = await import('../../src/metadata/scan.ts');
const jsquash = await jsquashPng();

const ROOM = 1 << 30;
/** Memories go from job to job, as in a Worker: of a job of 50 megapixels, too. */
isolateMemoryPool.limit = 1 << 28;
sharp.concurrency(1);
sharp.cache(false);

async function measure(name: string, file: Uint8Array<ArrayBuffer>, rounds: number, withJsquash: boolean) {
  const facts = scan(file)!;
  const open = () => pngDecoder.open(file, facts, {});
  let held = 0;
  let ours = 0;
  let theirs = 0;
  const decode = await race(
    {
      async core() {
        using raster = await open();
        for (const strip of stripsOf(raster)) held = strip.pixels.buffer.byteLength;
      },
      sharp: () => sharp(file).raw().toBuffer(),
      ...(withJsquash && { jsquash: () => jsquash.decode(file) }),
    },
    rounds,
    cpuTime,
  );
  const roundTrip = await race(
    {
      async core() {
        using raster = await open();
        using output = await pngEncoder.encode(raster, 90, ROOM);
        ours = output.bytes.length;
      },
      sharp: async () => {
        theirs = (await sharp(file).png().toBuffer()).length;
      },
      ...(withJsquash && { jsquash: async () => jsquash.encode(await jsquash.decode(file)) }),
    },
    rounds,
    cpuTime,
  );
  const third = ({ jsquash: time }: { jsquash?: number }) =>
    time === undefined ? '' : `, jSquash ${ms(time)}`;
  console.log(
    `${name}: decode ${ms(decode.core)}, sharp ${ms(decode.sharp)}${third(decode)}: ${ratio(decode.core, decode.sharp)}; holds ${megabytes(held)}`,
  );
  console.log(
    `  PNG → PNG ${ms(roundTrip.core)}, sharp ${ms(roundTrip.sharp)}${third(roundTrip)}: ${ratio(roundTrip.core, roundTrip.sharp)} of the time, ${ratio(ours, theirs)} of the size`,
  );
}

/** Small pictures are over before the engine has compiled what they run: the least of more runs counts. */
const ROUNDS_OF_SMALL = 24;

const AREAS = `<rect x="900" width="700" height="300" fill="#3b82f6"/><linearGradient id="g"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#080"/></linearGradient>
<rect x="900" y="900" width="600" height="150" fill="url(#g)"/>`;

for (const megapixels of [1, 12, 24, 50]) {
  const file = new Uint8Array(await photoFile(megapixels, 'png'));
  const rounds = megapixels === 1 ? ROUNDS_OF_SMALL : megapixels < 20 ? 4 : 2;
  await measure(`${megapixels} MP photograph`, file, rounds, megapixels < 20);
}
await measure('1.8 MP page of text', await textScreen(''), ROUNDS_OF_SMALL, true);
await measure(
  '1.8 MP screen of text, flat areas and a gradient',
  await textScreen(AREAS),
  ROUNDS_OF_SMALL,
  true,
);

/** Text alone has few colours, for which a palette serves; with a gradient there are more. */
async function textScreen(areas: string): Promise<Uint8Array<ArrayBuffer>> {
  const lines = Array.from(
    { length: 60 },
    (_, i) =>
      `<text x="${20 + (i % 3) * 8}" y="${30 + i * 18}" font-size="14" fill="#222">The quick brown fox ${(i * 7919) % 1000} jumps over the lazy dog, line ${i}</text>`,
  );
  const svg = `<svg width="1600" height="1100" xmlns="http://www.w3.org/2000/svg"><rect width="1600" height="1100" fill="#fafafa"/>
${areas}${lines.join('')}</svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer());
}

async function jsquashPng() {
  const decoder = await import('@jsquash/png/decode.js');
  const encoder = await import('@jsquash/png/encode.js');
  const code = readFileSync('node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm');
  await decoder.init(code);
  await encoder.init(code);
  return {
    decode: (file: Uint8Array<ArrayBuffer>) => decoder.default(file.buffer),
    encode: (image: Awaited<ReturnType<typeof decoder.default>>) => encoder.default(image),
  };
}
