import { expect, it } from 'vitest';
import { encoders } from '../../src/codecs/registry.ts';
import { extensionOf, fileExtensions, formatOfName } from '../../src/metadata/extensions.ts';
import { inputFormats } from '../fixtures/samples.ts';

it('has a list for every input format, and no extension twice', () => {
  expect(Object.keys(fileExtensions).sort()).toEqual([...inputFormats].sort());
  const all = Object.values(fileExtensions).flat();
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((extension) => /^[a-z]+$/.test(extension))).toBe(true);
});

it('names outputs by the usual extension of their format', () => {
  for (const { format, extension } of Object.values(encoders)) {
    expect(fileExtensions[format][0]).toBe(extension);
  }
});

it.each([
  ['a.JPE', 'jpeg'],
  ['in.png/b.apng', 'png'],
  ['x.y.tiff', 'tiff'],
  ['a.mpo', 'jpeg'],
  ['.gif', undefined],
  ['a.heic', undefined],
  ['a.jpg/b', undefined],
  ['webp', undefined],
])('%s promises %s', (name, format) => expect(formatOfName(name)).toBe(format));

it('reads the extension of the last part of a path alone', () => {
  expect(['a.B', 'a.', 'a', '.a', 'd.x/a', 'd/.x'].map(extensionOf)).toEqual(['b', '', '', '', '', '']);
});
