import { describe, expect, it } from 'vitest';
import { findBitstream } from '../../../src/codecs/webp/bitstream.ts';
import { WORK_AT_ONCE } from '../../../src/metadata/cursor.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { bytes, u32 } from '../../fixtures/bytes.ts';
import { anmf, riffChunk, vp8, vp8l, vp8x, webp } from '../../fixtures/webp_writer.ts';

const found = (file: Uint8Array) => resultOf(findBitstream(file));

/** So many chunks of no bytes before the picture. */
function behindChunks(count: number): Uint8Array {
  const many = new Uint8Array(12 + count * 8);
  const chunk = riffChunk('zzzz');
  many.set(webp([]).subarray(0, 12));
  for (let at = 12; at < many.length; at += 8) many.set(chunk, at);
  const file = bytes(many, vp8l(5, 6, false));
  file.set(u32(file.length - 8, true), 4);
  return file;
}

describe('the picture of a WebP', () => {
  it('is its first bitstream, which may run on to the end of the file', () => {
    const still = webp([vp8(3, 4), riffChunk('EXIF', 1, 2)]);
    expect(found(still)).toEqual({ codec: 'VP8', data: { at: 20, length: still.length - 20 } });
    const lossless = webp(vp8l(5, 6, true));
    expect(found(lossless)).toMatchObject({ codec: 'VP8L', data: { at: 20 } });
  });

  it('has the last alpha before it, in an extended file only', () => {
    const alpha = [riffChunk('ALPH', 0, 1), riffChunk('ALPH', 0, 2, 3)];
    const extended = found(webp([vp8x(3, 4, 0x10), ...alpha, vp8(3, 4)]));
    expect(extended.alpha).toEqual({ at: 12 + 18 + 10 + 8, length: 3 });
    expect(found(webp([...alpha, vp8(3, 4)])).alpha).toBeUndefined();
  });

  it('is the first frame of an animation, with its place on the canvas', () => {
    const place = [2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 0, 0, 0, 0];
    const animation = webp([vp8x(20, 20), riffChunk('ANIM'), riffChunk('ANMF', place, vp8l(5, 6, false))]);
    const { codec, frame } = found(animation);
    expect(codec).toBe('VP8L');
    expect(frame).toEqual({ x: 4, y: 6, width: 5, height: 6 });
  });

  it('is refused where a chunk before it declares more than there is', () => {
    const cut = webp(bytes('VP8 ', u32(1000, true), 1));
    expect(() => found(cut)).toThrow('declares 1000 bytes but only 1 are left');
    expect(() => found(cut.subarray(0, 11))).toThrow('inside its header');
  });

  it('is refused where it is cut or has no image data', () => {
    expect(() => found(webp(riffChunk('ANMF', 1, 2, 3)))).toThrow('first frame of the WebP is cut off');
    expect(() => found(webp(anmf()))).toThrow('first frame of the WebP is empty');
    expect(() => found(webp(riffChunk('EXIF', 1)))).toThrow('has no image data');
  });

  it('is not sought behind more chunks than any real file has', () => {
    expect(() => found(behindChunks(100_001))).toThrow('at most 100000 chunks');
  });

  it('is sought in turns, so that 99,000 chunks of no bytes before it keep nobody waiting', () => {
    const pauses = [...findBitstream(behindChunks(99_000))];
    expect(pauses.length).toBeGreaterThan(8);
    expect(Math.max(...pauses)).toBeLessThan(1.1 * WORK_AT_ONCE);
  });
});
