import { describe, expect, it } from 'vitest';
import { photoPicture } from '../../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../../fixtures/samples.ts';
import { postImage } from '../../fixtures/service.ts';

const asPng = { pixelate: { faces: false }, output: { format: 'png' } } as const;

/** Files of every format end early, at about so many places. */
export function refusesTruncated(cuts: number): void {
  describe.each(inputFormats)('a truncated %s', (format) => {
    it('is 422 with a reason, or the complete image; the next request is served', async () => {
      const small = await sampleFile(format, photoPicture(9, 7, 1));
      const whole = new Uint8Array(await (await postImage('/v1/sanitize', small, asPng)).arrayBuffer());
      const step = Math.max(1, Math.floor(small.length / cuts));
      for (let length = 1; length < small.length; length += step) {
        const answer = await postImage('/v1/sanitize', small.subarray(0, length), asPng);
        if (answer.status === 200) {
          expect(new Uint8Array(await answer.arrayBuffer()), `cut at ${length}`).toEqual(whole);
        } else {
          const body = (await answer.json()) as { error: string; message: string };
          expect([answer.status, body.error], `cut at ${length}: ${body.message}`).toEqual([
            422,
            'unprocessable_image',
          ]);
        }
      }
      expect((await postImage('/v1/sanitize', small, asPng)).status).toBe(200);
    });
  });
}
