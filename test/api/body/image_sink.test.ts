import { describe, expect, it } from 'vitest';
import { arraySink, type ImageSink, LimitedSink } from '../../../src/api/body/image_sink.ts';
import { MAX_IMAGE_BYTES } from '../../../src/api/body/limits.ts';
import { counted } from './counting.ts';

const MB = 1024 * 1024;

describe('array sink', () => {
  it('allocates what is expected, once, when the first byte comes', () => {
    const { allocate, sizes } = counted();
    const sink = arraySink(allocate);
    sink.expect(10);
    expect(sizes).toEqual([]);
    sink.write(new Uint8Array([1, 2]));
    sink.write(new Uint8Array([3]));
    expect(sink.finish()).toEqual(new Uint8Array([1, 2, 3]));
    expect(sizes).toEqual([10]);
  });

  it('gives no bytes when none came', () => {
    expect(arraySink().finish().length).toBe(0);
  });

  it.each([[0], [1000]])('keeps every byte while it grows, whatever was expected: %i', (expected) => {
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

  it('takes copies: what the writer does with its chunk later is its own business', () => {
    const sink = arraySink();
    const chunk = new Uint8Array([1]);
    sink.write(chunk);
    chunk[0] = 9;
    expect(sink.finish()).toEqual(new Uint8Array([1]));
  });
});

describe('limited sink', () => {
  /** Notes what it is told. */
  function noting() {
    const notes: number[] = [];
    const sink: ImageSink = {
      expect: (bytes) => notes.push(-bytes),
      write: (chunk) => notes.push(chunk.length),
      finish: () => new Uint8Array(1),
    };
    return { notes, sink: new LimitedSink(sink) };
  }

  it('passes on up to the limit, and refuses the byte after it', () => {
    const { notes, sink } = noting();
    sink.write(new Uint8Array(MAX_IMAGE_BYTES - 1));
    sink.write(new Uint8Array(1));
    expect(() => sink.write(new Uint8Array(1))).toThrow('larger than 25 MB');
    expect(notes).toEqual([MAX_IMAGE_BYTES - 1, 1]);
    expect(sink.written).toBe(MAX_IMAGE_BYTES);
    expect(sink.finish().length).toBe(1);
  });

  it('never announces more than the limit', () => {
    const { notes, sink } = noting();
    sink.expect(MAX_IMAGE_BYTES + 1);
    expect(notes).toEqual([-MAX_IMAGE_BYTES]);
  });
});
