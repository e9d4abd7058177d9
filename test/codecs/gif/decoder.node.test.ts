import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { gifDecoder } from '../../../src/codecs/gif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { readGifBySharp } from '../../fixtures/gif_oracle.ts';

describe('the GIF decoder beside sharp', () => {
  it('reads what sharp writes as sharp reads it', async () => {
    for (const [width, height] of [
      [1, 1],
      [7, 3],
      [64, 65],
      [301, 199],
    ] as const) {
      for (const channels of [3, 4] as const) {
        const raw = Buffer.from(
          Array.from({ length: width * height * channels }, (_, at) =>
            at % channels === 3 ? ((at >> 5) % 3) * 127 : (at * 7 + (at >> 6)) & 255,
          ),
        );
        const image = sharp(raw, { raw: { width, height, channels } });
        for (const colours of [2, 17, 256]) {
          const bytes = new Uint8Array(
            await image
              .clone()
              .gif({ colours, progressive: colours === 17 })
              .toBuffer(),
          );
          const { pixels } = await decodeWhole(gifDecoder, { bytes, facts: scan(bytes)! });
          const whole = await readGifBySharp(bytes, width, height);
          expect(firstDifference(pixels, whole), `${width} × ${height} × ${channels}, ${colours}`).toBe(
            'none',
          );
        }
      }
    }
  });
});
