import { describe, expect, it } from 'vitest';
import { chunksOf, readChunks, untilAborted } from '../../src/library/chunks.ts';

const tooLarge = () => new Error('too large');

async function* pieces(count: number, bytes: number) {
  for (let i = 0; i < count; i++) yield new Uint8Array(bytes).fill(i & 255);
}

describe('readChunks', () => {
  it.each([
    ['none', 0, 1],
    ['empty ones', 5, 0],
    ['single bytes', 70_000, 1],
    ['ones larger than what is held at first', 3, 100_000],
  ])('joins %s in order', async (_, count, bytes) => {
    const read = await readChunks(chunksOf(pieces(count, bytes))!, count * bytes, tooLarge);
    const expected = Buffer.concat(Array.from({ length: count }, (_, i) => Buffer.alloc(bytes, i & 255)));
    expect(Buffer.compare(read.bytes, expected)).toBe(0);
    expect(read.bytes.buffer.byteLength).toBe(read.bytes.length);
  });

  it('takes exactly what it may, and no byte more', async () => {
    expect((await readChunks(chunksOf(pieces(3, 5))!, 15, tooLarge)).bytes).toHaveLength(15);
    await expect(readChunks(chunksOf(pieces(3, 5))!, 14, tooLarge)).rejects.toThrow('too large');
    await expect(readChunks(chunksOf(pieces(1, 5))!, 4, tooLarge)).rejects.toThrow('too large');
  });

  it('does not call a chunk its own that came from elsewhere', async () => {
    const single = Uint8Array.of(1, 2);
    const source = (async function* () {
      yield single;
    })();
    expect(await readChunks(chunksOf(source)!, 2, tooLarge)).toEqual({ bytes: single, areOwn: false });
    expect((await readChunks(chunksOf(pieces(2, 2))!, 4, tooLarge)).areOwn).toBe(true);
  });
});

describe('untilAborted', () => {
  it('ends at once when aborted, before or later, whatever becomes of the work', async () => {
    const work = () => new Promise<never>((_, reject) => setTimeout(reject, 20, new Error('late')));
    await expect(untilAborted(work(), AbortSignal.abort('early'))).rejects.toBe('early');
    const controller = new AbortController();
    const ended = untilAborted(work(), controller.signal);
    controller.abort('now');
    await expect(ended).rejects.toBe('now');
    await expect(untilAborted(work(), new AbortController().signal)).rejects.toThrow('late');
  });
});
