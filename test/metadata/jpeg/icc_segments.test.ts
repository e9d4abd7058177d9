import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { profiles } from '../../fixtures/icc_writer.ts';
import { iccSegment, JFIF, jpeg } from '../../fixtures/jpeg_writer/segments.ts';
import { sanitized } from '../../fixtures/sanitized.ts';

const profile = profiles.displayP3();
const half = profile.length >> 1;
const [first, second] = [profile.subarray(0, half), profile.subarray(half)];
const whole = iccSegment(1, 1, profile);
const one = iccSegment(1, 2, first);
const two = iccSegment(2, 2, second);
const other = iccSegment(1, 1, profiles.adobeRgb());

/** The profile that a scan finds, joined. */
function found(file: Uint8Array): Uint8Array {
  const { pieces } = scan(file)!.colorimetry!.icc!;
  return Uint8Array.from(pieces.flatMap(({ start, end }) => [...file.subarray(start, end)]));
}

describe('an ICC profile in segments', () => {
  it.each([
    ['once', [whole]],
    ['twice', [whole, whole]],
    ['thrice', [whole, whole, whole]],
    ['in two', [one, two]],
    ['in two, the second first', [two, one]],
    ['in two, the first repeated', [one, one, two]],
    ['in two, the second repeated', [one, two, two]],
    ['in two, all repeated', [one, two, one, two]],
    ['before another one', [whole, other]],
  ])('is used: %s', (_, segments) => {
    expect(found(jpeg({ head: [JFIF, segments] }))).toEqual(profile);
  });

  it('is used between the frame header and the first scan, and not behind that, as in browsers', () => {
    const colour = { components: [1, 2, 3], scans: [0, 1, 2].map((of) => ({ of: [of] })) };
    const file = jpeg({ ...colour, head: JFIF });
    const scanAt = file.findIndex((byte, at) => byte === 0xff && file[at + 1] === 0xda);
    const behindFrame = bytes(file.subarray(0, scanAt), whole, file.subarray(scanAt));
    expect(found(behindFrame)).toEqual(profile);
    expect(found(jpeg({ ...colour, head: [JFIF, whole], between: other }))).toEqual(profile);
    expect(scan(jpeg({ ...colour, between: whole }))!.colorimetry).toEqual({});
  });

  it.each([
    ['it lacks a part', [one]],
    ['its parts count differently', [iccSegment(1, 3, first), two]],
    ['a part has the number 0', [iccSegment(0, 2, first), two]],
    ['a part has a number beyond their count', [one, iccSegment(3, 2, second)]],
  ])('is ignored with a warning where %s', async (_, segments) => {
    const file = jpeg({ head: [JFIF, segments], components: [1, 2, 3] });
    const { report } = await sanitized(file, {});
    expect(report.warningCodes).toContain('colour_profile_ignored');
    expect(report.warnings.join()).toMatch(/it lacks segments, or they contradict each other/);
  });
});
