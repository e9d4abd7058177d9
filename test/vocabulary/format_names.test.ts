import { expect, it } from 'vitest';
import { formatName, inputFormatNames } from '../../src/vocabulary/format_names.ts';
import { inputFormats } from '../../src/vocabulary/vocabulary.ts';

it('names formats as people do', () => {
  expect(['jpeg', 'webp', 'avif'].map(formatName)).toEqual(['JPEG', 'WebP', 'AVIF']);
});

it('lists the input formats in their order, with a word before the last one', () => {
  const list = inputFormatNames('oder');
  expect(list).toMatch(/^JPEG, PNG, WebP, .+ oder [A-Z]+$/);
  expect(list.split(/, | oder /)).toEqual(inputFormats.map(formatName));
});
