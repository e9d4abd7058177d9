import { expect, it } from 'vitest';
import { formatKept, formatOfOutputs, outputExtension, replacements } from '../../src/cli/output_format.ts';
import { encoders } from '../../src/codecs/registry.ts';
import { inputFormats } from '../fixtures/samples.ts';

it.each([
  [undefined, undefined, 'jpeg'],
  [undefined, 'same', 'same'],
  ['-', 'png', 'png'],
  ['out.PNG', undefined, 'png'],
  ['out.jpe', 'jpeg', 'jpeg'],
  ['out', 'webp', 'webp'],
  ['{name}.webp', undefined, 'webp'],
  ['{name}.{ext}', 'same', 'same'],
  ['{name}.{ext}', undefined, 'jpeg'],
  ['out.d/x', undefined, 'jpeg'],
] as const)('for -o %s and --format %s is %s', (output, format, expected) => {
  expect(formatOfOutputs(output, format, false)).toBe(expected);
});

it.each([
  ['out.png', 'jpeg', 'is a PNG, but --format says jpeg'],
  ['out.png', 'same', 'is a PNG, but --format says same'],
  ['{name}.png', 'webp', 'is a PNG, but --format says webp'],
  ['out.avif', undefined, 'ends in .jpg, .png, .webp; a folder'],
  ['out.v2', 'jpeg', 'ends in .jpg, .png, .webp; a folder'],
  ['{name}.{source}', undefined, 'ends in .{ext}, .jpg, .png, .webp'],
  ['out/{name}', undefined, 'ends in .{ext}, .jpg'],
] as const)('refuses -o %s with --format %s', (output, format, reason) => {
  expect(() => formatOfOutputs(output, format, false)).toThrow(reason);
});

it('does not take the name of a folder for that of a file', () => {
  expect(formatOfOutputs('out.png', undefined, true)).toBe('jpeg');
  expect(formatOfOutputs('holiday.2024/', 'webp', true)).toBe('webp');
});

it('keeps what can be written, and has a format for every other', () => {
  for (const { format, extension } of Object.values(encoders)) {
    expect(formatKept(format)).toBe(format);
    expect(outputExtension(format)).toBe(extension);
  }
  expect((['avif', 'tiff', 'gif'] as const).map(formatKept)).toEqual(['webp', 'png', 'png']);
});

it('tells what becomes of formats that are not written', () => {
  expect(replacements()).toContain('avif becomes webp');
  expect(replacements()).toHaveLength(inputFormats.length - Object.keys(encoders).length);
});
