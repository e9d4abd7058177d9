import exifr from 'exifr';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { examplePhoto } from '../../scripts/playground/example/photo.mjs';
import { detect, inspect } from '../../src/library/index.ts';

it('the example shows a place, a thumbnail of more, and a face that is found', async () => {
  const photo: Buffer = await examplePhoto();
  expect(photo.length).toBeLessThan(150_000);
  const { latitude, longitude, Model, SerialNumber, BodySerialNumber } = await exifr.parse(photo);
  expect([latitude, longitude]).toEqual([expect.closeTo(48.1372, 4), expect.closeTo(11.5755, 4)]);
  expect([Model, SerialNumber ?? BodySerialNumber]).toEqual(['Camera 7', 'SN-0042']);

  const { has_gps, values, complete } = await inspect(photo, { values: true });
  expect([has_gps, complete]).toEqual([true, true]);
  const [thumbnail] = values!.thumbnails;
  expect(thumbnail).toMatchObject({ differs: true, width: 160 });
  const shown = await sharp((await exifr.thumbnail(photo)) as Buffer).metadata();
  const { width, height } = await sharp(photo).metadata();
  expect(shown.width! / shown.height!).toBeGreaterThan((1.2 * width!) / height!);

  const { faces } = await detect(photo);
  expect(faces).toHaveLength(1);
  expect(faces[0]!.confidence).toBeGreaterThan(0.9);
});
