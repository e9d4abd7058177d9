import { describe, expect, it } from 'vitest';
import { requireAffordable } from '../../src/sanitize/cost_limit.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

const large = (format: 'png' | 'tiff' | 'jpeg' | 'gif') => stillFacts(format, 7071, 7071);

describe('the work of a job', () => {
  it('is bearable for 50 megapixels of every format when upright, whatever the ops', () => {
    for (const format of ['png', 'tiff', 'jpeg', 'gif'] as const) {
      expect(() => requireAffordable(large(format), { looks: 2, results: 4, bands: 1 })).not.toThrow();
    }
  });

  it('is bearable for a turned PNG of 50 megapixels with the default ops, and for any turned JPEG', () => {
    expect(() => requireAffordable(large('png'), { looks: 2, results: 2, bands: 12 })).not.toThrow();
    expect(() => requireAffordable(large('jpeg'), { looks: 2, results: 4, bands: 12 })).not.toThrow();
  });

  it('is refused, in words, where bands and coarse blocks multiply', () => {
    const readings = { looks: 2, results: 4, bands: 12 };
    expect(() => requireAffordable(large('png'), readings)).toThrow(
      'A turned PNG of 50.0 megapixels would have to be read 72 times for these ops, at most 56 are allowed',
    );
    expect(() => requireAffordable(large('tiff'), { looks: 0, results: 4, bands: 12 })).toThrow('as JPEG');
  });
});
