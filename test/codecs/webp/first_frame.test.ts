import { describe, expect, it } from 'vitest';
import { firstFrame } from '../../../src/codecs/webp/first_frame.ts';
import { bytes, u32 } from '../../fixtures/bytes.ts';
import { anmf, riffChunk, vp8, vp8l, vp8x, webp } from '../../fixtures/webp_writer.ts';

describe('the first frame of a WebP', () => {
  it('is none in a still picture', () => {
    expect(firstFrame(webp(vp8(3, 4)))).toBeNull();
  });

  it('is cut out as a still of its own, with its place on the canvas', () => {
    const place = [2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0, 0, 0, 0, 0];
    const animation = webp([vp8x(20, 20), riffChunk('ANIM'), riffChunk('ANMF', place, vp8l(5, 6, false))]);
    const frame = firstFrame(animation);
    expect(frame).toMatchObject({ x: 4, y: 6, width: 5, height: 6 });
    expect(frame!.still).toEqual(webp([vp8x(5, 6, 0x10), vp8l(5, 6, false)]));
  });

  it('is refused where a chunk before it declares more than there is', () => {
    const cut = webp(bytes('VP8 ', u32(1000, true), 1));
    expect(() => firstFrame(cut)).toThrow('declares 1000 bytes but only 1 are left');
    expect(() => firstFrame(cut.subarray(0, 11))).toThrow('inside its header');
  });

  it('is refused where it is cut or has no image data', () => {
    expect(() => firstFrame(webp(riffChunk('ANMF', 1, 2, 3)))).toThrow('first frame of the WebP is cut off');
    expect(() => firstFrame(webp(anmf()))).toThrow('first frame of the WebP is empty');
  });

  it('is not sought behind more chunks than any real file has', () => {
    const many = new Uint8Array(12 + 100_001 * 8);
    const chunk = riffChunk('zzzz');
    many.set(webp([]).subarray(0, 12));
    for (let at = 12; at < many.length; at += 8) many.set(chunk, at);
    many.set(u32(many.length - 8, true), 4);
    expect(() => firstFrame(many)).toThrow('at most 100000 chunks');
  });
});
