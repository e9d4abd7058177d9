import { describe, expect, it } from 'vitest';
import { isOwnOutput, type OutputNames, outputPath, outputPatternFault } from '../../src/cli/output_path.ts';
import { encoders } from '../../src/codecs/registry.ts';

const file = { path: 'in/deep/a.b.PNG', below: 'deep/a.b.PNG' };

const names = (output: string | undefined, isFolder = false, isNeutral = false): OutputNames => ({
  output,
  isFolder,
  isNeutral,
});
/** The path of an output of a file of some name in the folder that was named. */
const outputOf = (name: string, output?: string, isFolder = false) =>
  outputPath({ path: `in/${name}`, below: name }, names(output, isFolder), 1, 'jpg');

describe('outputPath', () => {
  it.each([
    [undefined, false, 'in/deep/a.b.clean.jpg'],
    ['out', true, 'out/deep/a.b.jpg'],
    ['out.webp', false, 'out.webp'],
    ['-', true, '-'],
    ['out/{dir}/{name}-{source}.{ext}', false, 'out/deep/a.b-PNG.jpg'],
    ['{name}.{ext}', false, 'a.b.jpg'],
    ['x.{ext}', false, 'x.jpg'],
  ])('for %s', (output, isFolder, expected) => {
    expect(outputPath(file, names(output, isFolder), 1, 'jpg')).toBe(expected);
  });

  it.each([
    [undefined, false, 'in/deep/photo-7.clean.jpg'],
    ['out', true, 'out/photo-7.jpg'],
    ['out/web-{name}.{ext}', false, 'out/web-photo-7.jpg'],
  ])('tells nothing of the source by neutral names, for %s', (output, isFolder, expected) => {
    expect(outputPath(file, names(output, isFolder, true), 7, 'jpg')).toBe(expected);
  });

  it('never leaves a pattern for the root of the disk', () => {
    expect(outputOf('a.jpg', '{dir}/{name}.{ext}')).toBe('a.jpg');
    expect(outputPath({ path: '-', below: 'stdin' }, names(undefined), 1, 'jpg')).toBe('-');
  });

  it('makes of names what every file system takes, and keeps what a person has named', () => {
    expect(outputOf('a:b?\u202Egpj.jpg')).toBe('in/a_b__gpj.clean.jpg');
    expect(outputOf('con/x. /NUL.png', 'o|ut', true)).toBe('o|ut/_con/x__/_NUL.jpg');
    expect(outputOf('a*.p:g', '{name}.{source}?.jpg')).toBe('a_.p_g?.jpg');
    expect(outputOf('no extension', '{name}{source}.{ext}')).toBe('no extension.jpg');
  });

  it('cuts a name that would be too long for a file system', () => {
    const long = `${'é'.repeat(125)}.jpg`;
    const lengthOf = (path: string) => Buffer.byteLength(path.slice(path.lastIndexOf('/') + 1));
    expect(outputOf(long, 'out', true)).toBe(`out/${long}`);
    expect(lengthOf(outputOf(long))).toBe(254);
    const path = outputOf(long, 'out/{name}-for-the-web.{ext}');
    expect(path).toMatch(/^out\/é+-for-the-web\.jpg$/);
    expect(lengthOf(path)).toBe(254);
  });
});

it('knows its own outputs by name', () => {
  const own = Object.values(encoders).map(({ extension }) => `a.clean.${extension}`);
  expect(own.every(isOwnOutput)).toBe(true);
  expect(['a.jpg', 'clean.jpg', 'a.clean.jpg.png', 'a.clean.gif'].some(isOwnOutput)).toBe(false);
});

it('takes braces for places alone, and refuses unknown ones', () => {
  for (const output of ['out/{name}.{size}', 'x.{extension}', 'out{size}/', '{}', '{name']) {
    expect(outputPatternFault(output)).toContain('Expected only {dir}, {name}, {source}, {ext}');
  }
  expect(outputPatternFault('out/{dir}/{name}.{ext}')).toBeUndefined();
  expect(outputPatternFault('out/')).toBeUndefined();
});
