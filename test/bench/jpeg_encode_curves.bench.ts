// Rate and distortion of JPEG beside MozJPEG (jSquash, at its defaults: progressive) and libjpeg-turbo
// (sharp) at the same sampling: the mean difference in length at equal PSNR of RGB (BD-rate), and CPU time,
// of pictures of many kinds.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import type { Picture } from '../fixtures/pictures.ts';
import { jpegKinds } from './jpeg_kinds.ts';
import { bjontegaard, measuring, type Point, percent } from './rate_distortion.ts';
import { startTable, tableRow } from './table.ts';
import { cpuTime, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { rasterOf } = await import('../fixtures/raster.ts');
const { jpegEncoder } = await import('../../src/codecs/jpeg/encoder.ts');
const mozjpeg = await import('@jsquash/jpeg/encode.js');
await mozjpeg.init((await import('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')).default);
sharp.concurrency(1);
sharp.cache(false);

const SAMPLINGS = [
  { name: '4:2:0', chroma: 'halved', qualities: [40, 60, 75, 85, 92], factor: 2 },
  { name: '4:4:4', chroma: 'whole', qualities: [60, 75, 85, 92, 96], factor: 1 },
] as const;
type Sampling = (typeof SAMPLINGS)[number];
type Write = (picture: Picture, quality: number, sampling: Sampling) => Promise<Uint8Array>;

const core: Write = async (picture, quality, { chroma }) => {
  using output = await jpegEncoder.encode(rasterOf(picture), quality, 1 << 28, undefined, undefined, chroma);
  return output.bytes.slice();
};
const libjpeg: Write = async ({ width, height, pixels }, quality, { name }) =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality, chromaSubsampling: name, optimiseCoding: true })
    .toBuffer();
const moz: Write = async ({ width, height, pixels }, quality, { factor }) => {
  const data = new Uint8ClampedArray(pixels);
  const options = { quality, auto_subsample: false, chroma_subsample: factor };
  return new Uint8Array(await mozjpeg.default({ data, width, height, colorSpace: 'srgb' }, options));
};

interface Curve {
  readonly points: readonly Point[];
  readonly time: number;
}

async function curve(write: Write, picture: Picture, sampling: Sampling): Promise<Curve> {
  const measured = measuring(picture, ['psnr']);
  const points = [];
  let time = 0;
  for (const quality of sampling.qualities) {
    const start = cpuTime();
    const file = await write(picture, quality, sampling);
    time += cpuTime() - start;
    points.push(await measured(file));
  }
  return { points, time };
}

/** How much longer ours are at equal PSNR, as `bjontegaard` has it. */
const longer = (ours: Curve, theirs: Curve) => bjontegaard(ours.points, theirs.points, 'psnr');

const kinds = await jpegKinds();
for (const sampling of SAMPLINGS) {
  startTable(`JPEG, length at equal PSNR, ${sampling.name}`, [
    'picture',
    'MozJPEG',
    'its time',
    'libjpeg-turbo',
  ]);
  const sums = [0, 0, 0, 0];
  for (const { name, picture } of kinds) {
    const ours = await curve(core, picture, sampling);
    const [theirs, plain] = [await curve(moz, picture, sampling), await curve(libjpeg, picture, sampling)];
    const row = [longer(ours, theirs), longer(ours, plain), ours.time, theirs.time] as const;
    for (const [i, value] of row.entries()) sums[i]! += value;
    tableRow(name, percent(row[0]), ratio(row[2], row[3]), percent(row[1]));
  }
  const [toMoz, toPlain] = [sums[0]! / kinds.length, sums[1]! / kinds.length];
  tableRow(`mean of ${kinds.length}`, percent(toMoz), ratio(sums[2]!, sums[3]!), percent(toPlain));
}
