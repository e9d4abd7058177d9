import { describe, expect, it } from 'vitest';
import { inspectResultSchema, outputMediaTypes } from '../../../src/ops/responses.ts';
import { planRequest } from '../../../src/playground/settings/ops.ts';
import {
  consequencesOf,
  outputFormat,
  outputQuality,
  settingsFor,
} from '../../../src/playground/settings/output_format.ts';
import { emptyState } from '../../../src/playground/state.ts';

const sources = inspectResultSchema.shape.format.options;
const isWritten = (source: string) => outputMediaTypes.some((type) => type === `image/${source}`);

describe('the output format', () => {
  it('is the original’s where that comes out, JPEG for all others, and the chosen one for all', () => {
    const [kept, others] = [sources.filter(isWritten), sources.filter((source) => !isWritten(source))];
    expect(kept).toEqual(['jpeg', 'png', 'webp']);
    for (const source of kept) expect(outputFormat('auto', source)).toBe(source);
    expect(others).toContain('gif');
    for (const source of others) expect(outputFormat('auto', source), source).toBe('jpeg');
    expect(outputFormat('auto', null)).toBe('jpeg');
    for (const source of sources) expect(outputFormat('png', source)).toBe('png');
  });

  it('is in the request under its own name', () => {
    const formatFor = (source: (typeof sources)[number]) =>
      planRequest(settingsFor(emptyState.settings, { format: source }), emptyState, { width: 9, height: 9 })
        .ops.output?.format;
    expect([formatFor('jpeg'), formatFor('png'), formatFor('gif')]).toEqual([undefined, 'png', undefined]);
    expect(planRequest(emptyState.settings, emptyState, { width: 9, height: 9 }).ops.output).toBeUndefined();
  });

  it('has the quality of a JPEG at most, and what is usual where the original’s is not known', () => {
    const of = (quality: number, chroma_halved = false) =>
      outputQuality('auto', { format: 'jpeg', jpeg: { quality, chroma_halved } });
    expect([3, 30, 61, 92, 93, 100].map((quality) => of(quality))).toEqual([30, 30, 61, 92, 92, 92]);
    // From 90 on colour would have more samples than the original has.
    expect([61, 89, 90, 100].map((quality) => of(quality, true))).toEqual([61, 89, 89, 89]);
    const usual = sources.filter((format) => outputQuality('auto', { format }) === 80);
    expect(usual).toEqual(['webp', 'avif']);
    for (const format of sources) {
      if (!usual.includes(format)) expect(outputQuality('auto', { format }), format).toBe(92);
    }
    expect(outputQuality('auto', null)).toBe(92);
    expect(outputQuality(97, { format: 'jpeg', jpeg: { quality: 40, chroma_halved: true } })).toBe(97);
    const source = { format: 'jpeg', jpeg: { quality: 61, chroma_halved: true } } as const;
    const settings = settingsFor(emptyState.settings, source);
    expect(planRequest(settings, emptyState, { width: 9, height: 9 }).ops.output).toEqual({ quality: 61 });
  });

  it('says what it takes from a photo', () => {
    expect(consequencesOf('jpeg', { frames: 1 }, false)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 1 }, null)).toEqual([]);
    expect(consequencesOf('jpeg', { frames: 7 }, true)).toEqual(['animation_lost', 'transparency_lost']);
    expect(consequencesOf('webp', { frames: 7 }, true)).toEqual(['animation_lost']);
  });
});
