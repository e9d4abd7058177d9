import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileExtensions } from '../../../src/metadata/extensions.ts';
import { isImage } from '../../../src/playground/photos/image_names.ts';

const isTaken = (name: string, type = '') => isImage({ name, type });

it('takes every extension of every input format, HEIC, and what has the type of an image', () => {
  for (const extension of Object.values(fileExtensions).flat()) expect(isTaken(`x.${extension}`)).toBe(true);
  expect([isTaken('x.HEIC'), isTaken('x.bmp', 'image/bmp'), isTaken('x', 'image/png')]).not.toContain(false);
  expect([isTaken('notes.txt'), isTaken('.hidden.jpg'), isTaken('x.svg', 'image/svg+xml')]).not.toContain(
    true,
  );
});

it('offers every input format where a photo is chosen', () => {
  const page = readFileSync('src/playground/index.html', 'utf8');
  const [, accepted = ''] = /id="file"[^>]* accept="([^"]+)"/.exec(page)!;
  const types = Object.keys(fileExtensions).map((format) => `image/${format}`);
  const lacking = types.filter((type) => !accepted.split(',').includes(type));
  expect(
    lacking,
    'add these to accept="…" of src/playground/index.html; where few know the type, .ext too',
  ).toEqual([]);
});
