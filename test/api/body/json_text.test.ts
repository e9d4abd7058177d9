import { describe, expect, it } from 'vitest';
import { newBytes } from '../../../src/api/body/image_sink.ts';
import { JsonText } from '../../../src/api/body/json_text.ts';
import { MAX_OPS_BYTES } from '../../../src/api/body/limits.ts';
import { cutAt, latin1, utf8 } from './bodies.ts';

const tooLarge = () => new RangeError('too large');
const read = (pieces: readonly Uint8Array[]): string => {
  const text = new JsonText(tooLarge, newBytes);
  for (const piece of pieces) text.push(piece);
  return text.finish();
};

describe('JsonText', () => {
  it('decodes text that is cut anywhere, also within characters', () => {
    const bytes = utf8('aé€😀z');
    for (let i = 0; i <= bytes.length; i++) expect(read(cutAt(bytes, [i]))).toBe('aé€😀z');
    const long = '€😀'.repeat(10_000);
    expect(read(cutAt(utf8(long), [1, 40_000, 16_384, 16_385]))).toBe(long);
  });

  it('drops a leading byte order mark, and no other', () => {
    expect(read([utf8('\ufeffa\ufeff')])).toBe('a\ufeff');
  });

  it('refuses invalid UTF-8, also an incomplete character at the end', () => {
    expect(() => read([latin1('a\xff')])).toThrow('not valid UTF-8');
    expect(() => read([latin1('a\xe2\x82')])).toThrow('not valid UTF-8');
    expect(() => read([latin1('\xff'.repeat(20_000))])).toThrow('not valid UTF-8');
  });

  it('refuses the byte after the limit', () => {
    expect(read([new Uint8Array(MAX_OPS_BYTES).fill(0x61)]).length).toBe(MAX_OPS_BYTES);
    expect(() => read([new Uint8Array(MAX_OPS_BYTES), new Uint8Array(1)])).toThrow(RangeError);
  });
});
