import { describe, expect, it } from 'vitest';
import { JsonImageString } from '../../../src/api/body/json_image_string.ts';
import { cutAt, latin1, utf8 } from './bodies.ts';

/** What comes of a string cut at these offsets, how it ends, and in how many writes. */
function scan(bytes: Uint8Array, cuts: readonly number[] = []) {
  let text = '';
  let writes = 0;
  const image = new JsonImageString(
    {
      write(characters) {
        writes++;
        text += latin1Text(characters);
      },
    },
    (size) => new Uint8Array(size),
  );
  let end: ReturnType<JsonImageString['scan']> = 0;
  for (const chunk of cutAt(bytes, cuts)) {
    end = image.scan(chunk, 0);
    if (typeof end !== 'number' || end < chunk.length) break;
  }
  return { text, writes, end };
}

const latin1Text = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

describe('the string of an image', () => {
  it('ends at its quote, escapes resolved, however it is cut', () => {
    const bytes = utf8('QU\\/J\\u002bD\\"\\n\\u00e9\\ud83dR" rest');
    const whole = scan(bytes);
    expect(whole).toMatchObject({ text: 'QU/J+D"\n\xff\xffR', end: bytes.length - 6 });
    for (let i = 0; i < bytes.length; i++) {
      for (let j = i; j < bytes.length; j += 3) expect(scan(bytes, [i, j]).text).toBe(whole.text);
    }
  });

  it('tells where an escape is none', () => {
    expect(scan(utf8('AB\\x')).end).toEqual({ at: 3, expected: expect.stringContaining('backslash') });
    expect(scan(utf8('AB\\u00g0')).end).toEqual({ at: 6, expected: expect.stringContaining('hexadecimal') });
  });

  it('of nothing but escapes is handed on in pieces, not one by one', () => {
    expect(scan(utf8('\\n'.repeat(100_000))).writes).toBeLessThan(10);
    expect(scan(latin1(`${'A'.repeat(100_000)}"`))).toMatchObject({ writes: 1, end: 100_000 });
  });
});
