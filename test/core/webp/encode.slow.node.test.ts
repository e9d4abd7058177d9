import sharp from 'sharp';
import { expect, it } from 'vitest';
import { WrittenFile } from '../../../src/codecs/webp/written_file.ts';
import { createCore } from '../../../src/core/instance.ts';
import { WebpWriter } from '../../../src/core/webp/encode.ts';
import { OutputBuffer } from '../../../src/memory/output_buffer.ts';
import { seededRandom } from '../../fixtures/random.ts';

// 19 bits of length are 21 bits a macroblock here, while noise asks for sixty.
it('noise of 50 megapixels does not overflow the first partition', async () => {
  const [width, height] = [8160, 6120];
  const random = seededRandom(7);
  // Rows of different noise, which come again: making 50 megapixels anew takes longer than coding them.
  const period = 48;
  const noise = new Uint32Array(width * period).map(() => (random() * 0x1000000) | 0xff000000);
  const rows = new Uint8Array(noise.buffer);
  using core = createCore();
  using output = new OutputBuffer('WebP', 1 << 28);
  const written = new WrittenFile(output, { width, height }, 0);
  core.sink = written.frame;
  const strip = core.alloc(period * width * 4);
  const writer = new WebpWriter(core, { width, height, quality: 60, opaque: true });
  const held = core.heldBytes;
  const pushAll = () => {
    for (let y = 0; y < height; y += period) {
      // Each period begins elsewhere, so that macroblocks differ.
      const count = Math.min(period, height - y);
      const shift = (y % 640) * 4;
      const pixels = core.view(strip, count * width * 4);
      pixels.set(rows.subarray(shift, pixels.length));
      pixels.set(rows.subarray(0, shift), pixels.length - shift);
      writer.push(pixels, count);
    }
  };
  pushAll();
  writer.startWriting();
  pushAll();
  const head = writer.finish();
  expect(head.length).toBeLessThanOrEqual(524_287 + 10);
  // Nearly all that there is is used.
  expect(head.length).toBeGreaterThan(450_000);
  expect(core.heldBytes).toBe(held);
  written.finish(head);
  const { data, info } = await sharp(output.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width, height });
  // The last rows are noise, too, and much like the picture's.
  let sum = 0;
  const last = data.subarray(data.length - width * 3);
  for (const value of last) sum += (value - 127) ** 2;
  expect(sum / last.length).toBeGreaterThan(500);
}, 300_000);
