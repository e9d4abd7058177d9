import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { FULL_CHROMA_QUALITY } from '../../../src/codecs/jpeg/encoder_cost.ts';
import { createCore } from '../../../src/core/instance.ts';
import { JpegLayout } from '../../../src/core/jpeg_encode.ts';
import { retainedBytes } from '../../../src/memory/owned_bytes.ts';
import { type Picture, rasterOf } from '../../fixtures/raster.ts';

/** What the core that writes and the output's hold after writing the picture, and how long the file is. */
export async function counted(picture: Picture, quality: number) {
  using core = createCore();
  // As if it lay in this core: the rows are copied in, but all else is reserved there.
  const { bytes } = await jpegEncoder.encode({ ...rasterOf(picture), core }, quality, 1 << 28);
  const held = core.heldBytes + retainedBytes(bytes).total;
  return { held, output: bytes.length };
}

/** How the encoder lays out a photograph's components at a quality. */
export const layoutFor = (quality: number) =>
  quality < FULL_CHROMA_QUALITY ? JpegLayout.halved : JpegLayout.full;
