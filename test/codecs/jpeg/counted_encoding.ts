import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { FULL_CHROMA_QUALITY } from '../../../src/codecs/jpeg/encoder_cost.ts';
import type { Chroma } from '../../../src/codecs/types.ts';
import { ROW_SLACK } from '../../../src/core/constants.ts';
import { createCore } from '../../../src/core/instance.ts';
import { JpegSampling } from '../../../src/core/jpeg/encode.ts';
import { scratchBytes } from '../../../src/core/sizes.ts';
import { type Picture, rasterOf } from '../../fixtures/raster.ts';

const STRIP_ROWS = 16;

/** What the core that writes and the output's hold after writing the picture, and how long the file is. */
export async function counted(picture: Picture, quality: number, chroma?: Chroma) {
  using core = createCore();
  const raster = rasterOf(picture, STRIP_ROWS, core);
  using output = await jpegEncoder.encode(raster, quality, 1 << 28, undefined, undefined, chroma);
  // Without the strip, which is its decoder's.
  const strip = scratchBytes([STRIP_ROWS * picture.width * 4 + ROW_SLACK]);
  const held = core.exports.peakBytes() - strip + output.retainedBytes;
  return { held, output: output.bytes.length };
}

/** How the encoder lays out a photograph's components at a quality. */
export const samplingFor = (quality: number) =>
  quality < FULL_CHROMA_QUALITY ? JpegSampling.halved : JpegSampling.full;
