import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Channels,
  channelsByTraits,
  fitsChannels,
  neededChannels,
} from '../../../src/codecs/png/layout.ts';

const level = fc.constantFrom(0, 7, 255);
const pixels = fc
  .array(fc.tuple(level, level, level, fc.constantFrom(255, 255, 3)), { maxLength: 6 })
  .map((rows) => Uint8Array.from(rows.flat()));

describe('samples of a pixel', () => {
  it.each([
    [true, true, 1],
    [true, false, 2],
    [false, true, 3],
    [false, false, 4],
  ] as const)('grey %s, opaque %s: %i', (grey, opaque, channels) => {
    expect(channelsByTraits({ grey, opaque })).toBe(channels);
    const pixel = Uint8Array.from([5, grey ? 5 : 6, 5, opaque ? 255 : 9]);
    expect(neededChannels(pixel)).toBe(channels);
    expect(neededChannels(Uint8Array.from([1, 1, 1, 255]), pixel)).toBe(channels);
  });

  it('what is needed holds all, and nothing less does', () => {
    fc.assert(
      fc.property(pixels, (rgba) => {
        const needed = neededChannels(rgba);
        expect(fitsChannels(rgba, needed)).toBe(true);
        expect(fitsChannels(rgba, 4)).toBe(true);
        // Packed into so many samples and taken apart again, by a naive reader.
        for (const channels of [1, 2, 3, 4] as Channels[]) {
          let same = true;
          for (let at = 0; at < rgba.length; at += 4) {
            const [r, g, b, a] = rgba.subarray(at, at + 4);
            if (channels < 3 && !(r === g && g === b)) same = false;
            if (channels % 2 === 1 && a !== 255) same = false;
          }
          expect(fitsChannels(rgba, channels)).toBe(same);
        }
      }),
      { seed: 12 },
    );
  });
});
