import { describe, expect, it } from 'vitest';
import { codedFiles } from '../../fixtures/metadata/coded_files.ts';
import { valuesOf } from './read.ts';

describe('a text in a form that programs write', () => {
  it.each(codedFiles)('$name', ({ bytes, tag, said }) => {
    const { texts, place, times } = valuesOf(bytes)!;
    const found = { UserComment: texts, Title: texts, City: place?.names ?? [], DateTimeOriginal: times }[
      tag
    ];
    expect(found.map(({ value }) => value)).toContain(said);
  });
});
