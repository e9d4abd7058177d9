import { describe, expect, it } from 'vitest';
import { decodeByDav1d, haveAomTools } from '../../../fixtures/av1/aom_tools.ts';
import { readAv1 } from '../../../fixtures/av1/av1_reader.ts';
import { keptStream } from '../../../fixtures/av1/kept_streams.ts';
import {
  BASE_LAYER,
  BOTH_LAYERS,
  CodedFrame,
  showing,
  temporalUnit,
} from '../../../fixtures/av1/layered_streams.ts';
import { planeDifference } from '../../../fixtures/av1/yuv_pictures.ts';

describe.skipIf(!haveAomTools)('the frame that is the picture is the one that dav1d shows', () => {
  const [whole, base, grainy] = (['coded-150-100', 'coded-130-70', 'coded-150-100-grain'] as const).map(
    (name) => new CodedFrame(keptStream(name)),
  ) as [CodedFrame, CodedFrame, CodedFrame];
  const layers = (type: 'inter' | 'intra-only', errorResilient: boolean, points = [BOTH_LAYERS]) => {
    const upper = whole.frame({ type, layer: 1, refresh: 2, errorResilient });
    return temporalUnit(whole.sequence(points), base.frame({ layer: 0 }, whole), upper);
  };
  const shownLater = (frame: CodedFrame, slot: number) =>
    temporalUnit(frame.sequence(), frame.frame({ hidden: true, refresh: 2 ** slot }), showing(slot));

  it.each<[string, Uint8Array, string[], number[]]>([
    ['an intra-only layer', layers('intra-only', false), ['--alllayers', '0'], []],
    ['an intra-only layer, error resilient', layers('intra-only', true), ['--alllayers', '0'], []],
    ['a layer that is selected', layers('intra-only', false), ['--alllayers', '1'], [0, 0]],
    [
      'the highest layer of the operating point',
      layers('inter', false, [BOTH_LAYERS, BASE_LAYER]),
      ['--alllayers', '0', '--oppoint', '1'],
      [1],
    ],
    ['a hidden key frame of slot 1', shownLater(whole, 1), [], []],
    ['a hidden key frame of slot 2', shownLater(whole, 2), [], []],
    ['a hidden key frame with film grain', shownLater(grainy, 0), [], []],
  ])('%s', (_, obus, switches, chosen) => {
    const planes = readAv1(obus, ...chosen);
    expect(planeDifference(decodeByDav1d(obus, { depth: 8, planes }, switches), planes)).toBeUndefined();
  });
});
