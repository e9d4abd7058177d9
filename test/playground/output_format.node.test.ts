import { describe, expect, it } from 'vitest';
import { inspectResultSchema } from '../../src/ops/responses.ts';
import { planRequest } from '../../src/playground/ops.ts';
import { consequencesOf, outputFormat, withFormat } from '../../src/playground/output_format.ts';
import { emptyState } from '../../src/playground/state.ts';

const sources = inspectResultSchema.shape.format.options;

describe('the output format', () => {
  it('is the original’s where that comes out, JPEG for all others, and the chosen one for all', () => {
    expect(sources.map((source) => [source, outputFormat('auto', source)])).toEqual([
      ['jpeg', 'jpeg'],
      ['png', 'png'],
      ['webp', 'webp'],
      ['avif', 'jpeg'],
      ['tiff', 'jpeg'],
      ['gif', 'jpeg'],
    ]);
    expect(outputFormat('auto', null)).toBe('jpeg');
    for (const source of sources) expect(outputFormat('png', source)).toBe('png');
  });

  it('is in the request under its own name', () => {
    const formatFor = (source: (typeof sources)[number]) =>
      planRequest(withFormat(emptyState.settings, source), [], { width: 9, height: 9 }).ops.output?.format;
    expect([formatFor('jpeg'), formatFor('png'), formatFor('gif')]).toEqual([undefined, 'png', undefined]);
    expect(planRequest(emptyState.settings, [], { width: 9, height: 9 }).ops).toEqual({});
  });

  it('says what it takes from a photo', () => {
    expect(consequencesOf('jpeg', { frames: 1 }, false)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 1 }, null)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 7 }, true)).toEqual(['animation_lost', 'transparency_lost']);
    expect(consequencesOf('webp', { frames: 7 }, true)).toEqual(['animation_lost']);
  });
});
