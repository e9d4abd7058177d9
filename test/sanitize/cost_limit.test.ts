import { describe, expect, it } from 'vitest';
import { requireAffordable } from '../../src/sanitize/cost_limit.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

const large = (format: 'png' | 'tiff' | 'jpeg' | 'webp' | 'gif') => stillFacts(format, 7071, 7071);

describe('the cost of a job', () => {
  it('is affordable for 50 megapixels of every format when upright, whatever the ops', () => {
    for (const format of ['png', 'tiff', 'jpeg', 'webp', 'gif'] as const) {
      expect(() => requireAffordable(large(format), { detection: 2, result: 4, bands: 1 })).not.toThrow();
    }
  });

  it('is affordable for a rotated PNG of 50 megapixels with the default ops, and for any rotated JPEG', () => {
    expect(() => requireAffordable(large('png'), { detection: 2, result: 2, bands: 12 })).not.toThrow();
    expect(() => requireAffordable(large('jpeg'), { detection: 2, result: 4, bands: 12 })).not.toThrow();
  });

  it('is refused with its figures where bands and coarse blocks multiply', () => {
    const reads = { detection: 2, result: 4, bands: 12 };
    expect(() => requireAffordable(large('png'), reads)).toThrow(
      'A turned PNG of 50.0 megapixels would have to be read 72 times for these ops, at most 56 are allowed',
    );
    for (const format of ['tiff', 'webp'] as const) {
      expect(() => requireAffordable(large(format), { detection: 0, result: 4, bands: 12 })).toThrow(
        'as JPEG',
      );
    }
  });
});
