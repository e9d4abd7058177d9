import { WebpAlphaWriter } from '../../core/webp/alpha_encode.ts';
import { WebpWriter } from '../../core/webp/encode.ts';
import { limitFault } from '../../faults.ts';
import { encodeInto, type OutputBuffer } from '../../memory/output_buffer.ts';
import { type TimeSlice, uninterrupted } from '../../scheduling/time_slice.ts';
import { pacedStrips } from '../../strips.ts';
import type { Encoder, Raster, Size } from '../types.ts';
import { encodingBytes, predictedOutputBytes } from './encoder_cost.ts';
import { WrittenFile } from './written_file.ts';

/** The largest edge a VP8 frame can have (RFC 6386 section 9.1: 14 bits). */
const MAX_EDGE = 16_383;
/**
 * A frame's first partition has at most 2^19 − 1 bytes (RFC 6386 section 9.1): the modes of this many pixels
 * are certain to fit.
 */
const MAX_PIXELS = 52_000_000;

/**
 * Writes lossy WebP (RFC 6386, RFC 9649) with libwebp's meaning of quality, and nothing beside the picture.
 * If not all pixels are opaque, alpha is kept without loss. The source is read twice, for statistics and for
 * writing. The output lies in a memory of its own.
 */
export const webpEncoder: Encoder = {
  format: 'webp',
  mediaType: 'image/webp',
  extension: 'webp',
  // For statistics first.
  reads: 2,
  pixelTime: 95,

  cost(size, quality, outputBytes) {
    requireWithinLimits(size);
    const { opaque = false } = size;
    const output = outputBytes ?? predictedOutputBytes(size, quality, opaque);
    return { inCores: encodingBytes(size, opaque, output), elsewhere: 0 };
  },

  async encode(source, quality, maxOutputBytes, raiseLimit, slice = uninterrupted) {
    requireWithinLimits(source);
    const expected = predictedOutputBytes(source, quality, source.opaque);
    const write = (output: OutputBuffer) => writeFile(source, quality, output, slice);
    return encodeInto('WebP', maxOutputBytes, raiseLimit, expected, write);
  },
};

function requireWithinLimits({ width, height }: Size): void {
  if (width <= MAX_EDGE && height <= MAX_EDGE && width * height <= MAX_PIXELS) return;
  throw limitFault(
    `A WebP can be at most ${MAX_EDGE} pixels wide and high and have at most ${MAX_PIXELS / 1e6} megapixels, but the result has ${width} × ${height}: choose jpeg or png, or a smaller maxWidth`,
  );
}

async function writeFile(
  source: Raster,
  quality: number,
  output: OutputBuffer,
  slice: TimeSlice,
): Promise<void> {
  const { core, width, height } = source;
  using _region = core.region();
  const picture = new WebpWriter(core, { width, height, quality, opaque: source.opaque });
  const transparency = source.opaque ? undefined : new WebpAlphaWriter(core, width, height);
  try {
    for await (const { pixels, rows } of pacedStrips(source, slice)) {
      transparency?.push(pixels, rows);
      picture.push(pixels, rows);
    }
    picture.startWriting();
    const alpha = transparency?.opaque ? undefined : transparency;
    const file = new WrittenFile(output, source, alpha?.plan() ?? 0);
    for await (const { pixels, rows } of pacedStrips(source, slice)) {
      core.sink = file.alpha;
      alpha?.push(pixels, rows);
      core.sink = file.frame;
      picture.push(pixels, rows);
    }
    core.sink = file.alpha;
    alpha?.finish();
    core.sink = file.frame;
    file.finish(picture.finish());
  } finally {
    core.sink = undefined;
  }
}
