// The colour step on made photographs: CPU time of the core's kernels and of LittleCMS in WebAssembly, beside
// sharp's own conversion (libvips with LittleCMS, one thread), and what the step adds to a whole sanitize of
// an untagged photo: nothing.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import type { DecodedRaster } from '../../src/codecs/types.ts';
import { pressProfile, profiles, scannerProfile } from '../fixtures/icc_writer.ts';
import { photoPicture } from '../fixtures/pictures.ts';
import { cpuTime, megabytes, ms, race } from './timing.ts';

// After the hooks: these load WebAssembly.
const { createCore } = await import('../../src/core/instance.ts');
const { toSrgb, colourCost } = await import('../../src/pixels/to_srgb.ts');
const { profileColour } = await import('../../src/pixels/colour/profile_colour.ts');
const { colourSourceOf } = await import('../../src/pixels/colour/source.ts');

sharp.concurrency(1);
sharp.cache(false);

const WIDTH = 4000;
const HEIGHT = 3000;
const STRIP_ROWS = 16;
const ROUNDS = 7;

/**
 * One strip of a photograph again and again: reading costs next to nothing, and the caches see what they see
 * in service.
 */
function repeated(deep: boolean, cmyk: boolean): DecodedRaster {
  const { pixels } = photoPicture(WIDTH, STRIP_ROWS);
  const wide = Uint16Array.from(pixels, (code) => code * 257);
  const core = createCore();
  const at = core.alloc(pixels.length);
  core.view(at, pixels.length).set(pixels);
  const reader = <Strip>(strip: (y: number, rows: number) => Strip) =>
    function* strips() {
      for (let y = 0; y < HEIGHT; y += STRIP_ROWS) yield strip(y, Math.min(STRIP_ROWS, HEIGHT - y));
    };
  const strips = reader((y, rows) => ({ y, rows, pixels: core.view(at, rows * WIDTH * 4) }));
  const strips16 = reader((y, rows) => ({ y, rows, samples: wide.subarray(0, rows * WIDTH * 4) }));
  const raster = { width: WIDTH, height: HEIGHT, opaque: true, grey: false, core, strips };
  return {
    ...raster,
    ...(deep && { strips16 }),
    ...(cmyk && { cmyk: raster }),
    [Symbol.dispose]: () => core[Symbol.dispose](),
  };
}

/** Least CPU milliseconds of ROUNDS runs. */
const leastCpu = async (run: () => unknown): Promise<number> => (await race({ run }, ROUNDS, cpuTime)).run;

async function measure(name: string, profile: Uint8Array, samples: 'grey' | 'rgb' | 'cmyk', deep = false) {
  const { conversion } = profileColour(profile, samples);
  const source = repeated(deep, samples === 'cmyk');
  const read = await leastCpu(() => {
    for (const _ of source.strips());
  });
  const open = await leastCpu(() => toSrgb(source, conversion));
  const convert = await leastCpu(async () => {
    const raster = (await toSrgb(source, conversion))!;
    for (const _ of raster.strips());
  });
  const held = colourCost(conversion, { width: WIDTH, height: HEIGHT }, deep);
  console.log(
    `${name.padEnd(28)} ${ms(convert - read).padStart(9)}   of it opening ${ms(open).padStart(8)}   holds ${megabytes(held)}`,
  );
}

console.log(`12 MP, least CPU of ${ROUNDS} runs:`);
await measure('RGB, matrix', profiles.displayP3(), 'rgb');
await measure('RGB of 16 bits, matrix', profiles.displayP3(), 'rgb', true);
await measure('grey', profiles.greyGamma(), 'grey');
await measure('grey of 16 bits', profiles.greyGamma(), 'grey', true);
await measure('RGB, tables (LittleCMS)', scannerProfile(), 'rgb');
await measure('CMYK, tables (LittleCMS)', pressProfile(), 'cmyk');

const { pixels } = photoPicture(WIDTH, HEIGHT);
const raw = { raw: { width: WIDTH, height: HEIGHT, channels: 4 as const } };
const plain = await leastCpu(() => sharp(pixels, raw).removeAlpha().raw().toBuffer());
const managed = await leastCpu(() =>
  sharp(pixels, raw).removeAlpha().pipelineColourspace('srgb').withIccProfile('p3').raw().toBuffer(),
);
console.log(`${'sharp, sRGB to P3'.padEnd(28)} ${ms(managed - plain).padStart(9)}`);

const untagged = { format: 'jpeg', colour: 'ycbcr', colorimetry: {} } as const;
const tellings = 10_000;
const telling = await leastCpu(() => {
  for (let i = 0; i < tellings; i++) colourSourceOf(untagged, pixels);
});
console.log(`${'an untagged picture'.padEnd(28)} ${((telling / tellings) * 1000).toFixed(2)} µs, no step`);
