// JPEG decoding in the core, side by side with libjpeg-turbo (sharp: one thread) and MozJPEG (jSquash): CPU
// time and memory. Rows are pulled and dropped, so that nothing else is measured; sharp hands out a whole
// frame.
import '../../scripts/plain_node.mjs';
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { Raster } from '../../src/codecs/types.ts';
import { corpusFolder } from '../fixtures/corpus.ts';
import { provideImageData } from '../fixtures/image_data.ts';
import { photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { stripsOf } = await import('../fixtures/raster.ts');
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { jpegDecoder } = await import('../../src/codecs/jpeg/decoder.ts');
const { openJpeg } = await import('../fixtures/open_jpeg.ts');
const { scan } = await import('../../src/metadata/scan.ts');
const { createCore } = await import('../../src/core/instance.ts');
const jsquash = await import('@jsquash/jpeg/decode.js');
await jsquash.init((await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')).default);
provideImageData();

/** Columns read at a time for a turn by 90°. */
const BAND = 512;
sharp.concurrency(1);
sharp.cache(false);

function pull(raster: Raster): void {
  let rows = 0;
  for (const strip of stripsOf(raster)) rows += strip.rows;
  if (rows !== raster.height) throw new Error(`${rows} rows of ${raster.height}`);
}

function pullColumns(raster: Raster): void {
  for (let x = 0; x < raster.width; x += BAND) pull(raster.columns!(x, Math.min(BAND, raster.width - x)));
}

async function measure(name: string, file: Uint8Array, rounds: number, withJsquash: boolean): Promise<void> {
  const facts = scan(file)!;
  const eighth = Math.ceil(facts.width / 8);
  let held = 0;
  const times = await race(
    {
      core: () => {
        const core = createCore();
        using raster = openJpeg(file, { core });
        pull(raster);
        held = core.heldBytes;
      },
      sharp: () => sharp(file).raw().toBuffer(),
      eighth: () => {
        using raster = openJpeg(file, { minWidth: eighth });
        pull(raster);
      },
      'sharp eighth': () => sharp(file).resize(eighth).raw().toBuffer(),
      turned: () => {
        using raster = openJpeg(file, { checkpoints: true });
        pullColumns(raster);
      },
      ...(withJsquash && { jSquash: () => jsquash.default(file.slice().buffer) }),
    },
    rounds,
    cpuTime,
  );
  const { core, sharp: turbo, eighth: small, 'sharp eighth': turboSmall, turned, jSquash } = times;
  console.log(
    `${name}, ${megabytes(file.length)}: ${ms(core)}, ${ratio(core, turbo)} sharp's ${ms(turbo)}` +
      (jSquash === undefined ? '' : `, ${ratio(core, jSquash)} jSquash's ${ms(jSquash)}`),
  );
  console.log(
    `  at 1/8 ${ms(small)}, ${ratio(small, turboSmall)} sharp's; in columns of ${BAND} ${ms(turned)};` +
      ` holds ${megabytes(held)}, input included; predicted ${megabytes(totalBytes(jpegDecoder.cost(facts, {})))} without`,
  );
}

for (const megapixels of [1, 12, 24, 50]) {
  for (const kind of ['jpeg', 'progressive'] as const) {
    const file = new Uint8Array(await photoFile(megapixels, kind));
    await measure(`${megapixels} MP ${kind}`, file, megapixels < 20 ? 8 : 4, megapixels <= 12);
  }
}
for (const name of ['Apple_iPhone_6.jpg', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg']) {
  const path = `${corpusFolder}/jpeg-camera/metadata-extractor-images__${name}`;
  if (existsSync(path)) await measure(name, new Uint8Array(readFileSync(path)), 6, false);
  else console.log(`${name}: not here`);
}
