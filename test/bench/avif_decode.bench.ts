// AVIF decoding in the core, side by side with dav1d (sharp: one thread, native assembler) and libaom
// (jSquash): CPU time and memory. Rows are pulled and dropped; the others hand out whole frames.
import '../../scripts/plain_node.mjs';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { provideImageData } from '../fixtures/image_data.ts';
import { inFolder } from '../fixtures/in_folder.ts';
import { toolPath } from '../fixtures/tools.ts';
import { photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { stripsOf } = await import('../fixtures/raster.ts');
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { CoreBytes } = await import('../../src/memory/owned_bytes.ts');
const { avifDecoder } = await import('../../src/codecs/avif/decoder.ts');
const { scan } = await import('../../src/metadata/scan.ts');
const { withAv1 } = await import('../fixtures/av1/av1_reader.ts');
const { obusOf } = await import('../fixtures/avif_files.ts');
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

/** CPU milliseconds of `dav1d --threads 1`, output dropped: its start is among them. */
const dav1dTime = (path: string): number => {
  // `times` of the shell: Node does not tell what a process took.
  const command = `dav1d --threads 1 --demuxer section5 --muxer null -q -i ${path} -o /dev/null; times`;
  const { stdout } = spawnSync(command, { shell: true, encoding: 'utf8' });
  // The second line is of what was run: "0m1.234s 0m0.012s".
  const seconds = stdout
    .trim()
    .split('\n')[1]!
    .matchAll(/(\d+)m([\d.]+)s/g);
  return [...seconds].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60_000 + Number(rest) * 1000,
    0,
  );
};

/** Planes of the core, dropped, beside those of dav1d's own program: the least of some turns. */
function besideDav1d(name: string, obus: Uint8Array, rounds: number): void {
  let [ours, theirs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  inFolder((folder) => {
    const path = join(folder, 'picture.obu');
    writeFileSync(path, obus);
    for (let round = 0; round < rounds; round++) {
      const time = withAv1(obus, (picture) => {
        const start = cpuTime();
        picture.reserve();
        for (const _ of picture.rows());
        return cpuTime() - start;
      });
      ours = Math.min(ours, time);
      theirs = Math.min(theirs, dav1dTime(path));
    }
  });
  console.log(`${name}, planes: ${ms(ours)}, ${ratio(ours, theirs)} dav1d's ${ms(theirs)}`);
}

const wanted = process.argv[2]?.split(',').map(Number) ?? [2, 12, 24, 50];
for (const megapixels of wanted) {
  const file = new Uint8Array(await photoFile(megapixels, 'avif'));
  await measure(`${megapixels} MP`, file, megapixels < 20 ? 3 : 1);
  if (toolPath('dav1d')) besideDav1d(`${megapixels} MP`, obusOf(file), 5);
}
