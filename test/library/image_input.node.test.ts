import { describe, expect, it } from 'vitest';
import { readImage } from '../../src/library/image_input.ts';

const bytes = Uint8Array.of(1, 2, 3, 4, 5);

/** A stream of pieces that says whether it was cancelled, and stays open where `ends` is false. */
function streamOf(pieces: readonly Uint8Array[], ends = true) {
  const state = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (ends) controller.close();
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

describe('readImage', () => {
  it('gives bytes as they lie, copying nothing', async () => {
    expect(await readImage(bytes, 5)).toBe(bytes);
    expect((await readImage(bytes.buffer, 5)).buffer).toBe(bytes.buffer);
  });

  it('reads blobs and streams whole', async () => {
    expect(await readImage(new Blob([bytes]), 5)).toEqual(bytes);
    expect(await readImage(streamOf([bytes.subarray(0, 2), bytes.subarray(2)]).stream, 5)).toEqual(bytes);
    expect(await readImage(streamOf([]).stream, 5)).toHaveLength(0);
  });

  it('refuses more bytes than it may hold, and cancels the stream', async () => {
    const tooLarge = { code: 'payload_too_large' };
    const { stream, state } = streamOf([bytes], false);
    for (const image of [bytes, bytes.buffer, new Blob([bytes]), stream]) {
      await expect(readImage(image, 4)).rejects.toMatchObject(tooLarge);
    }
    expect(state.cancelled).toBe(true);
  });

  it('ends a stream that stays silent when aborted', async () => {
    const { stream, state } = streamOf([bytes], false);
    const controller = new AbortController();
    const reading = readImage(stream, 100, controller.signal);
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason));
    await expect(reading).rejects.toBe(reason);
    expect(state.cancelled).toBe(true);
  });

  it.each([
    ['a path', './a.jpg'],
    ['nothing', undefined],
    ['an array', [1]],
  ])('refuses %s', async (_, value) => {
    await expect(readImage(value as never, 5)).rejects.toThrow(TypeError);
  });
});
