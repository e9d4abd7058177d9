// AVIF decoding in the core, side by side with dav1d (sharp: one thread, native assembler) and libaom
// (jSquash): CPU time and memory. Rows are pulled and dropped; the others hand out whole frames.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import { provideImageData } from '../fixtures/image_data.ts';
import { photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { stripsOf } = await import('../fixtures/raster.ts');
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { CoreBytes } = await import('../../src/memory/owned_bytes.ts');
const { avifDecoder } = await import('../../src/codecs/avif/decoder.ts');
const { scan } = await import('../../src/metadata/scan.ts');
const { createCore } = await import('../../src/core/instance.ts');
const jsquash = await import('@jsquash/avif/decode.js');
await jsquash.init((await import('@jsquash/avif/codec/dec/avif_dec.wasm')).default);
provideImageData();

sharp.concurrency(1);
sharp.cache(false);

async function measure(name: string, bytes: Uint8Array, rounds: number): Promise<void> {
  const facts = scan(bytes)!;
  let held = 0;
  const times = await race(
    {
      core: async () => {
        using file = CoreBytes.allocate(createCore(), bytes.length);
        file.bytes.set(bytes);
        using raster = await avifDecoder.open(file, facts, {});
        let rows = 0;
        for (const strip of stripsOf(raster)) rows += strip.rows;
        if (rows !== facts.height) throw new Error(`${rows} rows of ${facts.height}`);
        held = raster.core.heldBytes;
      },
      sharp: () => sharp(bytes).raw().toBuffer(),
      jSquash: () => jsquash.default(bytes.slice().buffer),
    },
    rounds,
    cpuTime,
  );
  const { core, sharp: native, jSquash } = times;
  console.log(
    `${name}, ${megabytes(bytes.length)}: ${ms(core)}, ${ratio(core, native)} sharp's ${ms(native)}` +
      `, ${ratio(core, jSquash)} jSquash's ${ms(jSquash)}` +
      `; holds ${megabytes(held)}, file included; predicted ` +
      `${megabytes(totalBytes(avifDecoder.cost(facts, {})))} without`,
  );
}

for (const megapixels of [2, 12, 24, 50]) {
  const file = new Uint8Array(await photoFile(megapixels, 'avif'));
  await measure(`${megapixels} MP`, file, megapixels < 20 ? 3 : 1);
}
