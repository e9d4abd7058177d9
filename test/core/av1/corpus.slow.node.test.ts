import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../conformance/verdict.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { av1Items } from '../../fixtures/av1/avif_items.ts';
import { corpusBytes, corpusFiles, corpusPresent } from '../../fixtures/corpus.ts';

describe.skipIf(!haveAomTools || !corpusPresent)('AV1 items of the corpus', () => {
  it('have the samples of dav1d', () => {
    const wrong: string[] = [];
    let read = 0;
    const readable = corpusFiles('avif').filter(({ expect: { status } }) =>
      status.every((code) => code === 200),
    );
    for (const entry of readable) {
      for (const [index, obus] of av1Items(corpusBytes(entry)).entries()) {
        const { kind, why } = verdictOf(obus);
        if (kind !== 'exact') wrong.push(`${entry.file} item ${index}: ${why}`);
        read++;
      }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(100);
  });
});
