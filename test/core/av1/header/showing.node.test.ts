import { describe, expect, it } from 'vitest';
import { av1Facts } from '../../../../src/core/av1/picture.ts';
import { readAv1 as read } from '../../../fixtures/av1/av1_reader.ts';
import { keptRecord, keptStream, samplesHash } from '../../../fixtures/av1/kept_streams.ts';
import {
  BASE_LAYER,
  BOTH_LAYERS,
  CodedFrame,
  showing,
  temporalUnit,
} from '../../../fixtures/av1/layered_streams.ts';
import { planeDifference, type YuvPlane } from '../../../fixtures/av1/yuv_pictures.ts';

describe('which frame is the picture', () => {
  const [whole, base] = (['coded-150-100', 'coded-130-70'] as const).map(
    (name) => new CodedFrame(keptStream(name)),
  ) as [CodedFrame, CodedFrame];
  const plain = read(temporalUnit(whole.sequence(), whole.frame()));
  const plainBase = read(temporalUnit(base.sequence(), base.frame()));
  const sameAs = (expected: readonly YuvPlane[], found: readonly YuvPlane[]) =>
    expect(planeDifference(found, expected)).toBeUndefined();

  it('frames that others are made of have the samples that dav1d has decoded', () => {
    const { samples } = keptRecord();
    expect(samplesHash(plain)).toBe(samples['coded-150-100']);
    expect(samplesHash(plainBase)).toBe(samples['coded-130-70']);
  });

  it.each([false, true])('an intra-only one of the highest layer, error resilient: %s', (errorResilient) => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2, errorResilient });
    const obus = temporalUnit(whole.sequence([BOTH_LAYERS]), base.frame({ layer: 0 }, whole), upper);
    sameAs(plain, read(obus));
  });

  it('the layer that is selected, of its own size', () => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2 });
    const obus = temporalUnit(whole.sequence([BOTH_LAYERS]), base.frame({ layer: 0 }, whole), upper);
    sameAs(plainBase, read(obus, 0, 0));
    sameAs(plain, read(obus, 0, 1));
    expect(av1Facts(obus, 0, 0)).toMatchObject({ width: 130, height: 70 });
    expect(() => read(obus, 0, 2)).toThrow('hold no picture');
  });

  it('the highest layer of the operating point', () => {
    const upper = whole.frame({ type: 'inter', layer: 1, refresh: 2 });
    const obus = temporalUnit(
      whole.sequence([BOTH_LAYERS, BASE_LAYER]),
      base.frame({ layer: 0 }, whole),
      upper,
    );
    sameAs(plainBase, read(obus, 1));
  });

  it('is refused where it is a layer that is predicted from a lower one, and says so', () => {
    const upper = whole.frame({ type: 'inter', layer: 1, refresh: 2 });
    const obus = temporalUnit(whole.sequence([BOTH_LAYERS]), base.frame({ layer: 0 }, whole), upper);
    expect(() => read(obus)).toThrow(/layer that is predicted from lower ones/);
    expect(() => read(temporalUnit(whole.sequence(), whole.frame({ type: 'inter' })))).toThrow(
      /predicted from other frames/,
    );
  });

  it('is refused where layers end early: a lower one is not what was sent', () => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2 });
    const obus = temporalUnit(whole.sequence([BOTH_LAYERS]), base.frame({ layer: 0 }, whole), upper);
    expect(() => read(obus.subarray(0, obus.length - 1))).toThrow('end early');
    // Behind a picture without layers nothing matters.
    const single = temporalUnit(whole.sequence(), whole.frame(), [0x80]);
    sameAs(plain, read(single));
  });

  it('a hidden key frame that is shown later, from a slot that it was kept in', () => {
    const hidden = whole.frame({ hidden: true, refresh: 0b0110 });
    for (const slot of [1, 2]) {
      const obus = temporalUnit(whole.sequence(), hidden, showing(slot));
      sameAs(plain, read(obus));
    }
    expect(() => read(temporalUnit(whole.sequence(), hidden, showing(0)))).toThrow('hold no picture');
    expect(() => read(temporalUnit(whole.sequence(), hidden))).toThrow('hold no picture');
  });

  it('what a slot holds when it is shown, also behind frames that are predicted', () => {
    const hidden = whole.frame({ hidden: true, refresh: 0b0110 });
    const predicted = whole.frame({ type: 'inter', hidden: true, refresh: 0b0010 });
    sameAs(plain, read(temporalUnit(whole.sequence(), hidden, predicted, showing(2))));
    expect(() => read(temporalUnit(whole.sequence(), hidden, predicted, showing(1)))).toThrow(
      /predicted from/,
    );
  });

  it('has film grain where it was hidden first', () => {
    const grainy = new CodedFrame(keptStream('coded-150-100-grain'));
    const obus = temporalUnit(grainy.sequence(), grainy.frame({ hidden: true, refresh: 1 }), showing(0));
    sameAs(read(temporalUnit(grainy.sequence(), grainy.frame())), read(obus));
    expect(samplesHash(read(obus))).toBe(keptRecord().samples['coded-150-100-grain']);
  });
});
