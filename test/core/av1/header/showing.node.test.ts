import { describe, expect, it } from 'vitest';
import { Av1Picture, av1Facts } from '../../../../src/core/av1.ts';
import { createCore } from '../../../../src/core/instance.ts';
import { decodeByDav1d, haveAomTools } from '../../../fixtures/av1/aom_tools.ts';
import { planesOf } from '../../../fixtures/av1/av1_reader.ts';
import { CodedFrame, delimiter, showing } from '../../../fixtures/av1/layered_streams.ts';
import { planeDifference, type YuvPlane, yuvPicture } from '../../../fixtures/av1/yuv_pictures.ts';

/** operating_point_idc of one temporal layer and spatial layers 0, or 0 and 1. */
const BASE = 0x101;
const BOTH = 0x301;

const stream = (...parts: readonly number[][]) => Uint8Array.from([delimiter, ...parts].flat());

function read(obus: Uint8Array, operatingPoint = 0, layer = -1): YuvPlane[] {
  using core = createCore(obus.length);
  const at = core.alloc(obus.length);
  core.view(at, obus.length).set(obus);
  const picture = new Av1Picture(core, at, obus.length, operatingPoint, layer);
  picture.reserve();
  return planesOf(picture);
}

describe.skipIf(!haveAomTools)('which frame is the picture', () => {
  // Both take as many bits for each side.
  const picture = yuvPicture('photo', 150, 100, '420', 8, 1);
  const smaller = yuvPicture('photo', 130, 70, '420', 8, 2);
  const [whole, base] = [new CodedFrame(picture), new CodedFrame(smaller)];
  const plain = read(stream(whole.sequence(), whole.frame()));
  const plainBase = read(stream(base.sequence(), base.frame()));
  const sameAs = (expected: readonly YuvPlane[], found: readonly YuvPlane[]) =>
    expect(planeDifference(found, expected)).toBeUndefined();

  const byDav1d = (obus: Uint8Array, planes: readonly YuvPlane[], switches: readonly string[] = []) =>
    decodeByDav1d(obus, { depth: 8, planes }, switches);

  it.each([false, true])('an intra-only one of the highest layer, error resilient: %s', (errorResilient) => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2, errorResilient });
    const obus = stream(whole.sequence([BOTH]), base.frame({ layer: 0 }, whole), upper);
    sameAs(plain, read(obus));
    sameAs(byDav1d(obus, plain, ['--alllayers', '0']), read(obus));
  });

  it('the layer that is selected, of its own size', () => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2 });
    const obus = stream(whole.sequence([BOTH]), base.frame({ layer: 0 }, whole), upper);
    sameAs(plainBase, read(obus, 0, 0));
    sameAs(byDav1d(obus, plainBase, ['--alllayers', '1']), read(obus, 0, 0));
    sameAs(plain, read(obus, 0, 1));
    expect(av1Facts(obus, 0, 0)).toMatchObject({ width: 130, height: 70 });
    expect(() => read(obus, 0, 2)).toThrow('hold no picture');
  });

  it('the highest layer of the operating point', () => {
    const upper = whole.frame({ type: 'inter', layer: 1, refresh: 2 });
    const obus = stream(whole.sequence([BOTH, BASE]), base.frame({ layer: 0 }, whole), upper);
    sameAs(plainBase, read(obus, 1));
    sameAs(byDav1d(obus, plainBase, ['--alllayers', '0', '--oppoint', '1']), read(obus, 1));
  });

  it('is refused where it is a layer that is predicted from a lower one, and says so', () => {
    const upper = whole.frame({ type: 'inter', layer: 1, refresh: 2 });
    const obus = stream(whole.sequence([BOTH]), base.frame({ layer: 0 }, whole), upper);
    expect(() => read(obus)).toThrow(/layer that is predicted from lower ones/);
    expect(() => read(stream(whole.sequence(), whole.frame({ type: 'inter' })))).toThrow(
      /predicted from other frames/,
    );
  });

  it('is refused where layers end early: a lower one is not what was sent', () => {
    const upper = whole.frame({ type: 'intra-only', layer: 1, refresh: 2 });
    const obus = stream(whole.sequence([BOTH]), base.frame({ layer: 0 }, whole), upper);
    expect(() => read(obus.subarray(0, obus.length - 1))).toThrow('end early');
    // Behind a picture without layers nothing matters.
    const single = stream(whole.sequence(), whole.frame(), [0x80]);
    sameAs(plain, read(single));
  });

  it('a hidden key frame that is shown later, from a slot that it was kept in', () => {
    const hidden = whole.frame({ hidden: true, refresh: 0b0110 });
    for (const slot of [1, 2]) {
      const obus = stream(whole.sequence(), hidden, showing(slot));
      sameAs(plain, read(obus));
      sameAs(byDav1d(obus, plain), read(obus));
    }
    expect(() => read(stream(whole.sequence(), hidden, showing(0)))).toThrow('hold no picture');
    expect(() => read(stream(whole.sequence(), hidden))).toThrow('hold no picture');
  });

  it('what a slot holds when it is shown, also behind frames that are predicted', () => {
    const hidden = whole.frame({ hidden: true, refresh: 0b0110 });
    const predicted = whole.frame({ type: 'inter', hidden: true, refresh: 0b0010 });
    sameAs(plain, read(stream(whole.sequence(), hidden, predicted, showing(2))));
    expect(() => read(stream(whole.sequence(), hidden, predicted, showing(1)))).toThrow(/predicted from/);
  });

  it('has film grain where it was hidden first', () => {
    const grainy = new CodedFrame(picture, ['--film-grain-test=2']);
    const obus = stream(grainy.sequence(), grainy.frame({ hidden: true, refresh: 1 }), showing(0));
    sameAs(read(stream(grainy.sequence(), grainy.frame())), read(obus));
    sameAs(byDav1d(obus, plain), read(obus));
  });
});
