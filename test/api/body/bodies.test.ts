import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { cutAt, joined, latin1, multipart, outcome, post, sent, utf8 } from './bodies.ts';

describe('tools for bodies', () => {
  it('cuts bytes at any offsets and loses none', () => {
    const bytes = utf8('abcdef');
    const pieces = cutAt(bytes, [4, 1, 4, 6]);
    expect(pieces.map((piece) => piece.length)).toEqual([1, 3, 0, 2, 0]);
    expect(joined(pieces)).toEqual(bytes);
    expect(latin1('\xff\x00')).toEqual(new Uint8Array([255, 0]));
  });

  it('sends pieces one at a time, fails at the end if told to, and notes being cancelled', async () => {
    const whole = sent([utf8('a'), utf8('b')]);
    expect(await new Response(whole.stream).text()).toBe('ab');
    expect(whole.chunksTaken()).toBe(2);
    await expect(new Response(sent([utf8('a')], new Error('gone')).stream).text()).rejects.toThrow('gone');
    const dropped = sent([utf8('a'), utf8('b')]);
    const reader = dropped.stream.getReader();
    await reader.read();
    expect(dropped.cancelled()).toBe(false);
    await reader.cancel();
    expect([dropped.cancelled(), dropped.chunksTaken()]).toEqual([true, 1]);
  });

  it('posts with or without a content type', () => {
    expect(post({ body: 'x', type: null }).headers.get('Content-Type')).toBe(null);
    expect(post({ body: 'x', type: 'a/b', query: '?c=1' }).url).toContain('?c=1');
  });

  it('tells what came of a reading, and lets foreign errors through', async () => {
    expect(await outcome(Promise.resolve({ image: utf8('A'), ops: { a: 1 } }))).toBe('image 65, ops {"a":1}');
    expect(await outcome(Promise.reject(new ApiError('bad_request', 'no')))).toBe('400 bad_request: no');
    await expect(outcome(Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });

  it('writes multipart that the runtime itself reads', async () => {
    const body = multipart('b', [{ headers: ['Content-Disposition: form-data; name="x"'], content: 'y' }]);
    const form = await post({ body, type: 'multipart/form-data; boundary=b' }).formData();
    expect([...form]).toEqual([['x', 'y']]);
  });
});
