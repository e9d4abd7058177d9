import { describe, expect, it } from 'vitest';
import { Av1Picture, av1Facts } from '../../src/core/av1.ts';
import { createCore } from '../../src/core/instance.ts';
import { decodeByDav1d, encodeByAomenc, haveAomTools } from '../fixtures/av1/aom_tools.ts';
import { planesOf, readAv1, withAv1 } from '../fixtures/av1/av1_reader.ts';
import { planeDifference, type YuvPicture, yuvPicture } from '../fixtures/av1/yuv_pictures.ts';

const FAST = ['--cpu-used=6', '--cq-level=25'];

function differenceFromDav1d(picture: YuvPicture, switches: readonly string[]): string | undefined {
  const obus = encodeByAomenc(picture, switches);
  return planeDifference(readAv1(obus), decodeByDav1d(obus, picture));
}

describe.skipIf(!haveAomTools)('an AV1 still picture', () => {
  it.each([
    ['4:2:0, 8 bits', yuvPicture('photo', 101, 75), FAST],
    [
      '4:4:4, 10 bits, superblocks of 128',
      yuvPicture('photo', 77, 140, '444', 10),
      [...FAST, '--sb-size=128'],
    ],
    ['4:2:2, 12 bits', yuvPicture('photo', 66, 49, '422', 12), FAST],
    ['monochrome, film grain', yuvPicture('photo', 90, 70, '400'), [...FAST, '--film-grain-test=3']],
    ['lossless', yuvPicture('photo', 50, 37), ['--lossless=1', '--cpu-used=6']],
    ['intra block copy and palettes', yuvPicture('screen', 150, 90), [...FAST, '--tune-content=screen']],
    [
      'tiles, quantiser matrices, deltas',
      yuvPicture('photo', 260, 140),
      [
        ...FAST,
        ...['--tile-columns=2', '--tile-rows=1', '--sb-size=64', '--enable-qm=1'],
        ...['--deltaq-mode=2', '--delta-lf-mode=1'],
      ],
    ],
    ['segments', yuvPicture('photo', 130, 100), [...FAST, '--aq-mode=1']],
  ] as const)('has the samples of dav1d: %s', (_, picture, switches) => {
    expect(differenceFromDav1d(picture, switches)).toBeUndefined();
  });

  it('says what its headers say, of their beginning too, and takes the memory that it says', () => {
    const picture = yuvPicture('screen', 83, 61, '422', 10);
    const obus = encodeByAomenc(picture, [
      ...FAST,
      ...['--color-primaries=bt2020', '--transfer-characteristics=smpte2084'],
      ...['--matrix-coefficients=bt2020ncl', '--tune-content=screen'],
    ]);
    const facts = av1Facts(obus);
    expect(facts).toMatchObject({ width: 83, height: 61, depth: 10, monochrome: false });
    expect(facts).toMatchObject({ subsamplingX: 1, subsamplingY: 0, primaries: 9, transfer: 16, matrix: 9 });
    expect(av1Facts(obus.subarray(0, 60))).toEqual(facts);
    using core = createCore();
    const at = core.alloc(obus.length);
    core.view(at, obus.length).set(obus);
    const before = core.exports.mark();
    const opened = new Av1Picture(core, at, obus.length);
    opened.reserve();
    expect(core.exports.mark() - before).toBe(facts.bytes);
    const end = core.exports.mark();
    planesOf(opened);
    expect(core.exports.mark()).toBe(end);
  });

  it('is read again from the top, and a new reading ends the one before', () => {
    withAv1(encodeByAomenc(yuvPicture('photo', 70, 200), FAST), (picture) => {
      picture.reserve();
      const first = planesOf(picture);
      expect(planeDifference(planesOf(picture), first)).toBeUndefined();
      const left = picture.rows();
      left.next();
      expect(planeDifference(planesOf(picture), first)).toBeUndefined();
      expect(() => left.next()).toThrow('This reading ended');
    });
  });
});
