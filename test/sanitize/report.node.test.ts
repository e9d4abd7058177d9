import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import type { SanitizeOpsInput } from '../../src/ops/schema.ts';
import { plainAvifFiles } from '../fixtures/avif_files.ts';
import { bytes, u32 } from '../fixtures/bytes.ts';
import { writeGif } from '../fixtures/gif_writer.ts';
import { mpfSegment } from '../fixtures/jpeg_writer/segments.ts';
import { noisePicture, photoPicture } from '../fixtures/pictures.ts';
import { pngChunk } from '../fixtures/png_writer.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { writeTiff } from '../fixtures/tiff_writer.ts';
import { chunkOf, riffChunk, vp8x, webp } from '../fixtures/webp_writer.ts';

const [WIDTH, HEIGHT] = [24, 16];
const photo = photoPicture(WIDTH, HEIGHT);

async function warningsOf(file: Uint8Array, output: SanitizeOpsInput['output'], ops: SanitizeOpsInput = {}) {
  const { report } = await sanitize(file, { pixelate: { faces: false }, output, ...ops });
  expect(report.warnings).toHaveLength(report.warningCodes.length);
  return { codes: report.warningCodes, texts: report.warnings };
}

async function animatedWebp() {
  const frame = riffChunk('VP8 ', chunkOf(await sampleFile('webp', photo), 'VP8 ')!);
  const place = [0, 0, 0, 0, 0, 0, WIDTH - 1, 0, 0, HEIGHT - 1, 0, 0, 0, 0, 0, 0];
  const frames = [1, 2].map(() => riffChunk('ANMF', place, frame));
  return webp([vp8x(WIDTH, HEIGHT, 2), riffChunk('ANIM', u32(0), 0, 0), frames]);
}

async function animatedPng(frames = 5, isHidden = false) {
  const still = await sampleFile('png', photo);
  const control = isHidden ? [] : pngChunk('fcTL', new Uint8Array(26));
  const animation = [pngChunk('acTL', u32(frames), u32(0)), control];
  return bytes(still.subarray(0, 33), ...animation, still.subarray(33));
}

/**
 * A TIFF whose second directory is its first again.
 * @param subfileType of the second: 1 says that it is a smaller version
 */
function twoPages(subfileType: number) {
  const file = writeTiff({
    width: WIDTH,
    height: HEIGHT,
    photometric: 1,
    value: (x, y) => (x * y) & 255,
    tags: { 254: { type: 'long', values: [0] } },
  });
  const view = new DataView(file.buffer);
  const at = view.getUint32(4, true);
  const next = at + 2 + 12 * view.getUint16(at, true);
  const second = file.slice(at, next + 4);
  // The first entry is the one of the lowest tag.
  new DataView(second.buffer).setUint32(2 + 8, subfileType, true);
  view.setUint32(next, file.length + (file.length & 1), true);
  return bytes(file, file.length & 1 ? 0 : [], second);
}

async function pictures(second: number) {
  const still = await sampleFile('jpeg', photo);
  return bytes(still.subarray(0, 2), mpfSegment(0x20030000, second), still.subarray(2), still);
}

describe('frames and pages that an output has not', () => {
  it.each([
    ['GIF', async () => writeGif({ width: 2, height: 1, indices: [0, 1], frames: 3 }), 3],
    ['WebP', animatedWebp, 2],
    ['PNG', () => animatedPng(5), 5],
    ['PNG whose only frame is another picture than the one that is kept', () => animatedPng(1, true), 2],
    ['AVIF', async () => (await plainAvifFiles()).find(({ name }) => name === 'sequence')!.bytes, 2],
  ])('of an animated %s are told, whatever it becomes', async (_, file, frames) => {
    const animation = await file();
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      expect(await warningsOf(animation, { format })).toEqual({
        codes: ['frames_dropped'],
        texts: [`the animation of ${frames} frames became a still image`],
      });
    }
  });

  it('of a TIFF of several pages and of a stereo pair are told', async () => {
    expect(await warningsOf(twoPages(0), {})).toEqual({
      codes: ['pages_dropped'],
      texts: ['only the first of 2 pages was kept'],
    });
    expect(await warningsOf(await pictures(0x00020002), {})).toEqual({
      codes: ['pages_dropped'],
      texts: ['only the first of 2 pictures was kept'],
    });
  });

  it('are none where the others are smaller versions of the first', async () => {
    expect(scan(twoPages(1))).toMatchObject({ frames: 2, pictures: 1, complete: true });
    for (const file of [twoPages(1), await pictures(0x00010001)]) {
      expect((await warningsOf(file, {})).codes).toEqual([]);
    }
  });

  it.each(inputFormats)('are none of a still %s', async (format) => {
    expect((await warningsOf(await sampleFile(format, photo), {})).codes).toEqual([]);
  });
});

describe('transparency that an output has not', () => {
  const flattened = {
    codes: ['flattened'],
    texts: ['transparent parts were laid over white: a JPEG has no transparency'],
  };

  it.each(['png', 'webp', 'avif'] as const)('of a %s is told, of a JPEG alone', async (format) => {
    const noise = noisePicture(WIDTH, HEIGHT, 3, 'any');
    const file =
      format === 'avif'
        ? (await plainAvifFiles()).find(({ name }) => name === 'with alpha')!.bytes
        : await sampleFile(format, noise);
    expect(scan(file)).toMatchObject({ format, hasAlpha: true });
    expect(await warningsOf(file, { format: 'jpeg' })).toEqual(flattened);
    expect(await warningsOf(file, { format: 'jpeg', quality: 60, maxWidth: 16 })).toEqual(flattened);
    for (const kept of ['png', 'webp'] as const) {
      expect((await warningsOf(file, { format: kept })).codes).toEqual([]);
    }
  });

  it('of a GIF is told', async () => {
    const file = writeGif({ width: 2, height: 1, indices: [0, 1], transparentIndex: 1 });
    expect(await warningsOf(file, {})).toEqual(flattened);
  });

  it('is none where an alpha channel is opaque, or what was cropped away was transparent', async () => {
    const recipe = { width: WIDTH, height: HEIGHT, samples: 4, photometric: 2, tags: extraAlpha };
    const alphaOf = (transparentFrom: number) =>
      writeTiff({ ...recipe, value: (x, _, c) => (c === 3 ? (x >= transparentFrom ? 99 : 255) : 40) });
    expect(scan(alphaOf(WIDTH))).toMatchObject({ hasAlpha: true });
    expect((await warningsOf(alphaOf(WIDTH), {})).codes).toEqual([]);
    expect(await warningsOf(alphaOf(20), {})).toEqual(flattened);
    const crop = { x: 0, y: 0, width: 16, height: 16 };
    expect((await warningsOf(alphaOf(20), {}, { crop })).codes).toEqual([]);
  });
});

/** ExtraSamples: the fourth is unassociated alpha. */
const extraAlpha = { 338: { type: 'short', values: [2] } } as const;
