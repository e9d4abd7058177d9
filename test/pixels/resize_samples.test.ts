import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Component, ComponentRows, Components } from '../../src/codecs/jpeg/planes.ts';
import type { Size } from '../../src/codecs/types.ts';
import { type Core, createCore } from '../../src/core/instance.ts';
import { resizeSamples } from '../../src/pixels/resize_samples.ts';
import { withoutWork } from '../fixtures/open_jpeg.ts';
import { clamped, resizedInFloats } from '../fixtures/resized_in_floats.ts';

const ROOM = 1 << 20;
/** Behind each row of a decoder's planes. */
const SLACK = 16;

interface Plane extends Component {
  readonly samples: Uint8Array;
}

/** Noise on a grid that reaches up to a sample beyond what is shown. */
function noisePlane(shown: Size, seed: number): Plane {
  const [width, height] = [Math.ceil(shown.width), Math.ceil(shown.height)];
  let state = seed * 2 + 1;
  const samples = Uint8Array.from({ length: width * height }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return { width, height, shown, samples };
}

/** As a decoder offers them: `mcuRows` rows of the first at a time, of the others what belongs to these. */
function offered(core: Core, planes: readonly Plane[], mcuRows: number): Components {
  const places = planes.map(({ width, height, samples }) => {
    const at = core.alloc((width + SLACK) * height);
    for (let y = 0; y < height; y++) {
      core.view(at + y * (width + SLACK), width).set(samples.subarray(y * width, (y + 1) * width));
    }
    return at;
  });
  function* bands(): Generator<readonly ComponentRows[]> {
    const luma = planes[0]!.shown.height;
    for (let from = 0; from < luma; from += mcuRows) {
      yield planes.map(({ width, height, shown }, index) => {
        const rowOf = (y: number) => Math.min(height, Math.round((y * shown.height) / luma));
        const end = from + mcuRows >= luma ? height : rowOf(from + mcuRows);
        const stride = width + SLACK;
        return { at: places[index]! + rowOf(from) * stride, stride, rows: end - rowOf(from) };
      });
    }
  }
  return { sizes: planes, bands };
}

/** The rows of each component, in bands of 8. */
function resized(planes: readonly Plane[], to: Size, mcuRows = 16): number[][] {
  using core = createCore();
  const source = { core, grey: planes.length === 1, ...to, opaque: true, strips: () => [] };
  const result = resizeSamples(source, offered(core, planes, mcuRows), to, ROOM)!;
  const out: number[][] = planes.map(() => []);
  let left = to.height;
  for (const { rows, planes: made } of withoutWork(result.bands())) {
    expect(rows).toBe(Math.min(8, left));
    left -= rows;
    for (const [index, { samples, stride }] of made.entries()) {
      for (let y = 0; y < rows; y++) out[index]!.push(...samples.subarray(y * stride, y * stride + to.width));
    }
  }
  expect(left).toBe(0);
  return out;
}

describe('components resized each by itself', () => {
  it('are within one level of floating point, of any sizes and sampling, in bands of any height', () => {
    fc.assert(
      fc.property(
        fc.record({ width: fc.integer({ min: 1, max: 70 }), height: fc.integer({ min: 1, max: 90 }) }),
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        fc.constantFrom([1, 1], [2, 2], [2, 1], [1, 2], [4, 1]),
        fc.constantFrom(1, 3 / 8, 5 / 8),
        fc.constantFrom(1, 2, 5, 10, 16),
        (size, scale, [across, down], eighths, mcuRows) => {
          const luma = { width: size.width * eighths, height: size.height * eighths };
          const chroma = { width: luma.width / across!, height: luma.height / down! };
          const planes = [luma, chroma, chroma].map(noisePlane);
          const to = {
            width: Math.max(1, Math.floor(luma.width * scale)),
            height: Math.max(1, Math.floor(luma.height * scale)),
          };
          for (const [index, got] of resized(planes, to, mcuRows).entries()) {
            const { samples, shown, ...plane } = planes[index]!;
            const expected = resizedInFloats((x, y) => samples[y * plane.width + x]!, plane, to, shown);
            const worst = Math.max(...got.map((sample, at) => Math.abs(sample - clamped(expected[at]!))));
            expect(worst).toBeLessThanOrEqual(1);
          }
        },
      ),
      { seed: 7, numRuns: 150 },
    );
  });

  it('keep an even area as it is', () => {
    for (const level of [0, 1, 128, 254, 255]) {
      const planes = [
        { width: 61.25, height: 43.125 },
        { width: 30.625, height: 21.5625 },
      ].map((shown) => {
        const plane = noisePlane(shown, 1);
        return { ...plane, samples: plane.samples.fill(level) };
      });
      for (const got of resized([...planes, planes[1]!], { width: 40, height: 28 })) {
        expect(new Set(got)).toEqual(new Set([level]));
      }
    }
  });

  it('hold no memory after a reading, ended early or not, and are not made where there is too little', () => {
    using core = createCore();
    const to = { width: 30, height: 20 };
    const components = offered(core, [noisePlane({ width: 90, height: 60 }, 1)], 8);
    const source = { core, grey: true, ...to, opaque: true, strips: () => [] };
    const before = core.exports.mark();
    const { bands, sampling } = resizeSamples(source, components, to, ROOM)!;
    expect(sampling).toBe('grey');
    for (const _ of withoutWork(bands())) expect(core.exports.mark()).toBeGreaterThan(before);
    expect(core.exports.mark()).toBe(before);
    for (const _ of withoutWork(bands())) break;
    expect(core.exports.mark()).toBe(before);
    expect(resizeSamples(source, components, to, 1000)).toBeUndefined();
  });
});
