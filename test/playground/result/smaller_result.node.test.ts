import { describe, expect, it } from 'vitest';
import { smaller } from '../../../src/playground/result/smaller_result.ts';
import type { Result } from '../../../src/playground/state.ts';

const result = (bytes: number, output?: { format?: 'png' | 'webp'; quality?: number }) =>
  ({ report: { bytes }, request: { ops: { ...(output && { output }) } }, sourceBytes: 1000 }) as Result;
const auto = { format: 'auto', quality: 'auto' } as const;

describe('a result that is longer than its original', () => {
  it('can be made smaller by a quality that is lower the more it has grown', () => {
    expect(smaller(result(1010, { quality: 80 }), auto)).toEqual({ quality: 75 });
    expect(smaller(result(2000, { quality: 80 }), auto)).toEqual({ quality: 50 });
    expect(smaller(result(9000, { format: 'webp', quality: 80 }), auto)).toEqual({ quality: 30 });
    expect(smaller(result(1500), auto)).toEqual({ quality: 77 });
    expect(smaller(result(1500, { format: 'png' }), auto)).toEqual({ format: 'webp' });
  });

  it('is left alone where it is not, where the person chose what makes it long, and at the least', () => {
    expect(smaller(result(1000), auto)).toBeNull();
    expect(smaller(result(1500), { ...auto, quality: 92 })).toBeNull();
    expect(smaller(result(1500, { format: 'png' }), { ...auto, format: 'png' })).toBeNull();
    expect(smaller(result(1500, { quality: 30 }), auto)).toBeNull();
  });
});
