import { describe, expect, it } from 'vitest';
import { arraySink, type ImageSink, LimitedSink } from '../../../src/api/body/image_sink.ts';
import { MAX_IMAGE_BYTES } from '../../../src/api/body/limits.ts';
import { counted } from './counting.ts';

const MB = 1024 * 1024;

describe('arraySink', () => {
  it('allocates the expected size once, with the first byte', () => {
    const { allocate, sizes } = counted();
    const sink = arraySink(allocate);
    sink.expect(10);
    expect(sizes).toEqual([]);
    sink.write(new Uint8Array([1, 2]));
    sink.write(new Uint8Array([3]));
    expect(sink.finish()).toEqual(new Uint8Array([1, 2, 3]));
    expect(sizes).toEqual([10]);
  });

  it('returns an empty array if nothing was written', () => {
    expect(arraySink().finish().length).toBe(0);
  });

  it.each([[0], [1000]])('keeps every byte while it grows, with %i bytes expected', (expected) => {
    const { allocate, bytes } = counted();
    const sink = arraySink(allocate);
    if (expected) sink.expect(expected);
    const piece = Uint8Array.from({ length: 300_007 }, (_, i) => i * 7);
    for (let i = 0; i < 80; i++) sink.write(piece);
    const image = sink.finish();
    expect(image.length).toBe(80 * piece.length);
    for (let i = 0; i < 80; i += 13) {
      expect(image.subarray(i * piece.length, (i + 1) * piece.length)).toEqual(piece);
    }
    expect(bytes()).toBeLessThan(MAX_IMAGE_BYTES + 2 * MB);
  });

  it('copies the chunks, which the writer may reuse', () => {
    const sink = arraySink();
    const chunk = new Uint8Array([1]);
    sink.write(chunk);
    chunk[0] = 9;
    expect(sink.finish()).toEqual(new Uint8Array([1]));
  });
});

describe('LimitedSink', () => {
  /** A sink that records its calls. */
  function recordingSink() {
    const calls: number[] = [];
    const sink: ImageSink = {
      expect: (bytes) => calls.push(-bytes),
      write: (chunk) => calls.push(chunk.length),
      finish: () => new Uint8Array(1),
    };
    return { calls, sink: new LimitedSink(sink) };
  }

  it('passes bytes on up to the limit, and refuses the byte after it', () => {
    const { calls, sink } = recordingSink();
    sink.write(new Uint8Array(MAX_IMAGE_BYTES - 1));
    sink.write(new Uint8Array(1));
    expect(() => sink.write(new Uint8Array(1))).toThrow('larger than 25 MB');
    expect(calls).toEqual([MAX_IMAGE_BYTES - 1, 1]);
    expect(sink.written).toBe(MAX_IMAGE_BYTES);
    expect(sink.finish().length).toBe(1);
  });

  it('never tells the sink to expect more than the limit', () => {
    const { calls, sink } = recordingSink();
    sink.expect(MAX_IMAGE_BYTES + 1);
    expect(calls).toEqual([-MAX_IMAGE_BYTES]);
  });
});
