// PNG of texts, screens, palettes and photographs: lengths beside sharp's at levels 6 and 9, and CPU time of
// writing beside sharp's at level 6 (one thread; sharp is given RGB where the picture has no alpha).
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import { cpuTime, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { rasterOf } = await import('../fixtures/raster.ts');
const { pngEncoder } = await import('../../src/codecs/png/encoder.ts');
const { pngKinds } = await import('./png_kinds.ts');
const { jpegKinds } = await import('./jpeg_kinds.ts');

const ROOM = 1 << 28;
const ROUNDS = 6;
sharp.concurrency(1);
sharp.cache(false);

const all: number[][] = [];
console.log(
  '| PNG of | bytes | level 6 | level 9 | time of level 6 | bits, colour type |\n|---|---|---|---|---|---|',
);
const photos = (await jpegKinds()).filter(({ name }) => !name.endsWith('made'));
for (const { name, flat, picture } of [
  ...(await pngKinds()),
  ...photos.map((kind) => ({ ...kind, flat: false })),
]) {
  const { width, height, pixels } = picture;
  const raster = rasterOf(picture);
  const given = sharp(pixels, { raw: { width, height, channels: 4 } });
  const { data, info } = await (raster.opaque ? given.removeAlpha() : given)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bySharp = (compressionLevel: number) =>
    sharp(data, { raw: { width, height, channels: info.channels } })
      .png({ compressionLevel })
      .toBuffer();
  let written = new Uint8Array(0);
  const time = await race(
    {
      async core() {
        using output = await pngEncoder.encode(raster, 90, ROOM);
        written = output.bytes.slice();
      },
      sharp: () => bySharp(6),
    },
    ROUNDS,
    cpuTime,
  );
  const [six, nine] = [(await bySharp(6)).length, (await bySharp(9)).length];
  if (flat) all.push([written.length / six, written.length / nine, time.core / time.sharp]);
  console.log(
    `| ${name} | ${written.length} | ${ratio(written.length, six)} | ${ratio(written.length, nine)} | ${ms(time.core)}, ${ratio(time.core, time.sharp)} | ${written[24]}, ${written[25]} |`,
  );
}
const mean = (at: number) =>
  ratio(
    all.reduce((sum, row) => sum + row[at]!, 0),
    all.length,
  );
console.log(`| mean of the first 15 | | ${mean(0)} | ${mean(1)} | ${mean(2)} | |`);
