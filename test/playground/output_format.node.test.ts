import { describe, expect, it } from 'vitest';
import { inspectResultSchema } from '../../src/ops/responses.ts';
import { planRequest } from '../../src/playground/ops.ts';
import {
  consequencesOf,
  outputFormat,
  outputQuality,
  settingsFor,
} from '../../src/playground/output_format.ts';
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
      planRequest(settingsFor(emptyState.settings, { format: source }), [], { width: 9, height: 9 }).ops
        .output?.format;
    expect([formatFor('jpeg'), formatFor('png'), formatFor('gif')]).toEqual([undefined, 'png', undefined]);
    expect(planRequest(emptyState.settings, [], { width: 9, height: 9 }).ops).toEqual({});
  });

  it('has the quality of a JPEG at most, and what is usual where the original’s is not known', () => {
    const of = (quality: number, chroma_halved = false) =>
      outputQuality('auto', { format: 'jpeg', jpeg: { quality, chroma_halved } });
    expect([3, 30, 61, 92, 93, 100].map((quality) => of(quality))).toEqual([30, 30, 61, 92, 92, 92]);
    // From 90 on colour would have more samples than the original has.
    expect([61, 89, 90, 100].map((quality) => of(quality, true))).toEqual([61, 89, 89, 89]);
    expect(sources.map((format) => outputQuality('auto', { format }))).toEqual([92, 92, 80, 80, 92, 92]);
    expect(outputQuality('auto', null)).toBe(92);
    expect(outputQuality(97, { format: 'jpeg', jpeg: { quality: 40, chroma_halved: true } })).toBe(97);
    const source = { format: 'jpeg', jpeg: { quality: 61, chroma_halved: true } } as const;
    const settings = settingsFor(emptyState.settings, source);
    expect(planRequest(settings, [], { width: 9, height: 9 }).ops).toEqual({ output: { quality: 61 } });
  });

  it('says what it takes from a photo', () => {
    expect(consequencesOf('jpeg', { frames: 1 }, false)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 1 }, null)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 7 }, true)).toEqual(['animation_lost', 'transparency_lost']);
    expect(consequencesOf('webp', { frames: 7 }, true)).toEqual(['animation_lost']);
  });
});
