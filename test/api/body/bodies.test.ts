import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/answers/errors.ts';
import { cutAt, joined, latin1, multipart, outcome, post, sent, utf8 } from './bodies.ts';

describe('helpers for tests of bodies', () => {
  it('cutAt cuts bytes at any offsets and loses none', () => {
    const bytes = utf8('abcdef');
    const pieces = cutAt(bytes, [4, 1, 4, 6]);
    expect(pieces.map((piece) => piece.length)).toEqual([1, 3, 0, 2, 0]);
    expect(joined(pieces)).toEqual(bytes);
    expect(latin1('\xff\x00')).toEqual(new Uint8Array([255, 0]));
  });

  it('sent gives one chunk at a time, fails at the end if told to, and records being cancelled', async () => {
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

  it('post makes requests with or without a content type', () => {
    expect(post({ body: 'x', type: null }).headers.get('Content-Type')).toBe(null);
    expect(post({ body: 'x', type: 'a/b', query: '?c=1' }).url).toContain('?c=1');
  });

  it('outcome describes an upload or an ApiError, and rethrows other errors', async () => {
    expect(await outcome(Promise.resolve({ image: utf8('A'), ops: { a: 1 } }))).toBe('image 65, ops {"a":1}');
    expect(await outcome(Promise.reject(new ApiError('bad_request', 'no')))).toBe('400 bad_request: no');
    await expect(outcome(Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });

  it('multipart writes what the runtime itself can read', async () => {
    const body = multipart('b', [{ headers: ['Content-Disposition: form-data; name="x"'], content: 'y' }]);
    const form = await post({ body, type: 'multipart/form-data; boundary=b' }).formData();
    expect([...form]).toEqual([['x', 'y']]);
  });
});
