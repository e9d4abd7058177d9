import { describe, expect, it } from 'vitest';
import { Av1Picture, av1Facts } from '../../../src/core/av1/picture.ts';
import { createCore } from '../../../src/core/instance.ts';
import { planesOf, readAv1, withAv1 } from '../../fixtures/av1/av1_reader.ts';
import { keptRecord, keptStream, samplesHash } from '../../fixtures/av1/kept_streams.ts';
import { planeDifference } from '../../fixtures/av1/yuv_pictures.ts';

describe('an AV1 still picture', () => {
  // With many more streams: test/conformance.
  it.each([
    'still-420-8',
    'still-444-10-superblocks-128',
    'still-422-12',
    'still-400-grain',
    'still-lossless',
    'still-screen',
    'still-tiles-matrices-deltas',
    'still-segments',
    // Of a picture narrower than 32 pixels superres keeps 16.
    'still-narrow-superres',
  ] as const)('has the samples that dav1d has decoded: %s', (name) => {
    expect(samplesHash(readAv1(keptStream(name)))).toBe(keptRecord().samples[name]);
  });

  it('says what its headers say, of their beginning too, and takes the memory that it says', () => {
    const obus = keptStream('screen-422-10-bt2020');
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
    withAv1(keptStream('still-tiles-matrices-deltas'), (picture) => {
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
