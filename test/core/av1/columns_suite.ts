import { expect, it } from 'vitest';
import type { ColumnRange } from '../../../src/core/av1/columns.ts';
import { planesOf, withAv1 } from '../../fixtures/av1/av1_reader.ts';
import { planeDifference, type YuvPlane } from '../../fixtures/av1/yuv_pictures.ts';

/** The columns of planes that belong to a range of luma. */
export function columnsOf(planes: readonly YuvPlane[], { from, to }: ColumnRange, subX: number): YuvPlane[] {
  return planes.map(({ width, height, samples }, plane) => {
    const shift = plane > 0 ? subX : 0;
    const [first, end] = [from >> shift, (to + shift) >> shift];
    const part = new Uint16Array((end - first) * height);
    for (let y = 0; y < height; y++) {
      part.set(samples.subarray(y * width + first, y * width + end), y * (end - first));
    }
    return { width: end - first, height, samples: part };
  });
}

/** Bands of a width, from the left or from the right. */
function bandsOf(width: number, band: number, fromRight: boolean): ColumnRange[] {
  const bands: ColumnRange[] = [];
  for (let from = 0; from < width; from += band) bands.push({ from, to: Math.min(width, from + band) });
  return fromRight ? bands.reverse() : bands;
}

/**
 * Bands of columns have the samples of the whole picture, in any order, and so has the whole read after them.
 * @param encode gives its OBUs
 * @param band even
 */
export function columnCase(name: string, encode: () => Uint8Array | Promise<Uint8Array>, band: number): void {
  it(name, async () => {
    const obus = await encode();
    const whole = withAv1(obus, (opened) => {
      opened.reserve();
      return planesOf(opened);
    });
    for (const fromRight of [false, true]) {
      withAv1(obus, (opened) => {
        opened.reserve();
        const before = opened.core.exports.mark();
        const bands = bandsOf(opened.facts.width, band, fromRight);
        opened.reserveColumns(bands);
        expect(opened.core.exports.mark() - before).toBe(opened.facts.columns!.bytes);
        const { width, subsamplingX } = opened.facts;
        for (const [index, range] of bands.entries()) {
          const read = opened.columnsRead(range);
          if (index === 0) expect(read).toBe(width);
          else expect(read).toBeLessThan(width);
          const difference = planeDifference(
            columnsOf(planesOf(opened, range), range, subsamplingX),
            columnsOf(whole, range, subsamplingX),
          );
          expect(difference && `${difference} of columns ${range.from} to ${range.to}`).toBeUndefined();
        }
        expect(planeDifference(planesOf(opened), whole)).toBeUndefined();
        const last = { from: width - band, to: width };
        expect(
          planeDifference(
            columnsOf(planesOf(opened, last), last, subsamplingX),
            columnsOf(whole, last, subsamplingX),
          ),
        ).toBeUndefined();
      });
    }
  });
}
