import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { showOther } from '../../../src/playground/findings/other_picture.ts';
import type { Pixels } from '../../../src/playground/stage/block_means.ts';
import { people, photoSize, uprightPicture } from '../../browser/photos.ts';

const whole = sharp(Buffer.from(uprightPicture().pixels), { raw: { ...photoSize, channels: 4 } });

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

/** The middle of the photo: of the same shape. @param share of its sides */
const middle = (share: number) =>
  whole.clone().extract({
    left: Math.round((photoSize.width * (1 - share)) / 2),
    top: Math.round((photoSize.height * (1 - share)) / 2),
    width: Math.round(photoSize.width * share),
    height: Math.round(photoSize.height * share),
  });

describe('a small copy', () => {
  it('of the picture shows no other, though it is brighter and coarse', async () => {
    const copy = await whole.clone().resize(160).linear(1.1, 12).jpeg({ quality: 40 }).toBuffer();
    expect(showOther(await pixelsOf(whole.clone()), await pixelsOf(sharp(copy)))).toBe(false);
  });

  it.each([0.9, 0.6])('from before a crop to %d of the same shape shows another', async (share) => {
    const thumbnail = await pixelsOf(whole.clone().resize(160));
    expect(showOther(await pixelsOf(middle(share)), thumbnail)).toBe(true);
  });

  it('of somebody who was painted over shows another', async () => {
    const { x, y, w, h } = people[0]!;
    const board = { create: { width: w * 2, height: h * 3, channels: 3 as const, background: '#a0a09a' } };
    const input = await sharp(board).png().toBuffer();
    const painted = whole.clone().composite([{ input, left: x - w / 2, top: y - 50 }]);
    expect(
      showOther(
        await pixelsOf(sharp(await painted.png().toBuffer())),
        await pixelsOf(whole.clone().resize(160)),
      ),
    ).toBe(true);
  });

  it('of an empty wall is left alone', async () => {
    const wall = (background: string) =>
      pixelsOf(sharp({ create: { width: 60, height: 40, channels: 3, background } }));
    expect(showOther(await wall('#808080'), await wall('#858585'))).toBe(false);
  });
});
