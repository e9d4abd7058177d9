import sharp from 'sharp';
import { expect, it } from 'vitest';
import { resizeQuality } from '../fixtures/resize_quality.ts';

const WIDTH = 800;
const HEIGHT = 304;
/** Pixels of the finest waves, at the right; those at the left are three times as long. */
const FINEST = 28;
/**
 * Decibels that reading chroma smaller may cost such waves: 0.1 to 0.4. No finer than luma it costs up to
 * 2.2, a quarter of a sample beside its place 7.
 */
const TOLERANCE = 0.6;

/** Waves of saturated colours, all as light, ever finer to the right, both across and down: 4:2:0. */
async function fineColours(): Promise<Uint8Array> {
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3);
  let phase = 0;
  for (let x = 0; x < WIDTH; x++) {
    const length = FINEST * 3 ** (1 - x / WIDTH);
    phase += (2 * Math.PI) / length;
    for (let y = 0; y < HEIGHT; y++) {
      const blue = 60 * Math.sin(phase);
      const red = 60 * Math.sin((2 * Math.PI * y) / length);
      const at = (y * WIDTH + x) * 3;
      pixels[at] = 128 + 1.402 * red;
      pixels[at + 1] = 128 - 0.344136 * blue - 0.714136 * red;
      pixels[at + 2] = 128 + 1.772 * blue;
    }
  }
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  return new Uint8Array(await sharp(pixels, { raw }).jpeg({ quality: 95 }).toBuffer());
}

it('chroma of a JPEG made smaller is as fine as luma shows it, and at its place', async () => {
  const file = await fineColours();
  // From four, three, two and one eighth.
  for (const width of [260, 190, 110, 60]) {
    const { job, atFullSize } = await resizeQuality(file, width);
    expect(job, `${width} pixels`).toBeGreaterThan(atFullSize - TOLERANCE);
  }
});
