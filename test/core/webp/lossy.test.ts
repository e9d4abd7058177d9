import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { heldBytesFor } from '../../../src/core/sizes.ts';
import { lossyFrameBytes } from '../../../src/core/webp/lossy.ts';
import { lossyFrameIn, readLossy, readRows } from '../../fixtures/lossy_frame.ts';
import { randomVp8 } from '../../fixtures/vp8_writer.ts';

const header = { width: 45, height: 75, quantiser: 40, level: 20, updates: 300, partitions: 1 };
const payload = randomVp8(header, 1);
const whole = readLossy(payload).pixels;

describe('a reading of a lossy WebP frame', () => {
  it('may begin again, any number of times, also from the middle of another one', () => {
    using core = createCore();
    const frame = lossyFrameIn(core, payload);
    frame.reserve();
    for (let turn = 0; turn < 3; turn++) {
      const abandoned = frame.rows();
      for (let strips = 0; strips <= turn; strips++) abandoned.next();
      expect(readRows(frame)).toEqual(whole);
      expect(() => abandoned.next()).toThrow(/ended when another one began/);
    }
  });

  it('may begin at any row', () => {
    using core = createCore();
    const frame = lossyFrameIn(core, payload);
    frame.reserve();
    for (let from = 0; from <= header.height; from++) {
      expect(readRows(frame, from)).toEqual(whole.slice(from * header.width * 4));
    }
  });

  it('gives strips of at most 16 rows', () => {
    using core = createCore();
    const frame = lossyFrameIn(core, payload);
    frame.reserve();
    expect([...frame.rows()].map(({ y, rows }) => [y, rows])).toEqual([
      [0, 8],
      [8, 16],
      [24, 16],
      [40, 16],
      [56, 16],
      [72, 3],
    ]);
  });

  it('takes alpha where it is told that it lies, and touches nothing else', () => {
    using core = createCore();
    const frame = lossyFrameIn(core, payload);
    frame.reserve();
    const alphaAt = core.alloc(header.width * header.height);
    const alpha = Uint8Array.from({ length: header.width * header.height }, (_, i) => (i * 7) & 255);
    core.view(alphaAt, alpha.length).set(alpha);
    const pixels = readRows(frame, 0, (y) => alphaAt + y * header.width);
    expect(pixels).toEqual(whole.map((value, i) => ((i & 3) === 3 ? alpha[i >> 2]! : value)));
    expect(readRows(frame)).toEqual(whole);
  });
});

describe('the memory of a lossy WebP frame', () => {
  it.each([
    [1, 1],
    [16, 16],
    [17, 5],
    [45, 75],
    [4000, 3],
  ])('of %i × %i is what is predicted', (width, height) => {
    const file = randomVp8({ ...header, width, height }, 1);
    using core = createCore();
    const before = core.exports.mark();
    const frame = lossyFrameIn(core, file);
    frame.reserve();
    const fileBytes = Math.ceil(file.length / 16) * 16;
    expect(core.exports.mark() - before).toBe(fileBytes + lossyFrameBytes(width, height));
    readRows(frame);
    expect(core.heldBytes).toBe(heldBytesFor([file.length, lossyFrameBytes(width, height)]));
  });

  it('depends on the width: 1 MB at 50 megapixels, 2 MB at the widest', () => {
    expect(lossyFrameBytes(8160, 6120)).toBeLessThan(1e6);
    expect(lossyFrameBytes(16383, 16383)).toBeLessThan(1.95e6);
    expect(lossyFrameBytes(300, 16383)).toBe(lossyFrameBytes(300, 16));
  });
});
