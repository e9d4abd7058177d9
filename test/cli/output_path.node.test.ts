import { describe, expect, it } from 'vitest';
import { extensions, isOwnOutput, outputPath, outputPatternFault } from '../../src/cli/output_path.ts';
import { encoders } from '../../src/codecs/registry.ts';

const file = { path: 'in/deep/a.b.PNG', below: 'deep/a.b.PNG' };

describe('outputPath', () => {
  it.each([
    [undefined, false, 'in/deep/a.b.clean.jpg'],
    ['out', true, 'out/deep/a.b.jpg'],
    ['out.webp', false, 'out.webp'],
    ['-', true, '-'],
    ['out/{dir}/{name}-{source}.{ext}', true, 'out/deep/a.b-PNG.jpg'],
    ['{name}.{ext}', false, 'a.b.jpg'],
  ])('for %s', (output, isFolder, expected) => {
    expect(outputPath(file, output, isFolder, 'jpg')).toBe(expected);
  });

  it('never leaves a pattern for the root of the disk', () => {
    const named = { path: 'a.jpg', below: 'a.jpg' };
    expect(outputPath(named, '{dir}/{name}.{ext}', true, 'jpg')).toBe('a.jpg');
    expect(outputPath({ path: '-', below: 'stdin' }, undefined, false, 'jpg')).toBe('-');
  });
});

it('has the extension of every output format', () => {
  const known = Object.entries(encoders).map(([format, { extension }]) => [format, extension]);
  expect(extensions).toEqual(Object.fromEntries(known));
});

it('knows its own outputs by name', () => {
  expect(['a.clean.jpg', 'a.clean.webp', 'a.clean.png'].every(isOwnOutput)).toBe(true);
  expect(['a.jpg', 'clean.jpg', 'a.clean.jpg.png', 'a.clean.gif'].some(isOwnOutput)).toBe(false);
});

it('refuses unknown places of a pattern, and takes braces for a name where there is no {name}', () => {
  expect(outputPatternFault('out/{name}.{size}')).toContain('{size}');
  expect(outputPatternFault('out/{dir}/{name}.{ext}')).toBeUndefined();
  expect(outputPatternFault('out{size}/')).toBeUndefined();
});
