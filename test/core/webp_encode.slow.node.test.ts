import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { WebpWriter, webpHead } from '../../src/core/webp_encode.ts';
import { seededRandom } from '../fixtures/raster.ts';

// 19 bits of length are 21 bits a macroblock here, while noise asks for sixty.
it('noise of 50 megapixels does not overflow the first partition', async () => {
  const [width, height] = [8160, 6120];
  const random = seededRandom(7);
  // Rows of different noise, which come again: making 50 megapixels anew takes longer than coding them.
  const period = 48;
  const noise = new Uint32Array(width * period).map(() => (random() * 0x1000000) | 0xff000000);
  const rows = new Uint8Array(noise.buffer);
  using core = createCore();
  const pieces: Uint8Array[] = [];
  core.sink = (piece) => pieces.push(piece.slice());
  const writer = new WebpWriter(core, { width, height, quality: 60 });
  const held = core.heldBytes;
  const pushAll = () => {
    for (let y = 0; y < height; y += period) {
      // Each period begins elsewhere, so that macroblocks differ.
      const count = Math.min(period, height - y);
      const shift = (y % 640) * 4;
      const strip = new Uint8Array(count * width * 4);
      strip.set(rows.subarray(shift, strip.length));
      strip.set(rows.subarray(0, shift), strip.length - shift);
      writer.push(strip, count);
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
  const frame = Buffer.concat([head, ...pieces]);
  const file = Buffer.concat([
    webpHead(width, height, frame.length),
    frame,
    new Uint8Array(frame.length & 1),
  ]);
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width, height });
  // The last rows are noise, too, and much like the picture's.
  let sum = 0;
  const last = data.subarray(data.length - width * 3);
  for (const value of last) sum += (value - 127) ** 2;
  expect(sum / last.length).toBeGreaterThan(500);
}, 300_000);
