import { describe, expect, it } from 'vitest';
import { type Av1Sequence, av1Sequence } from '../../../src/metadata/avif/av1_sequence.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { bitString, obu, type SequenceOptions, sequenceHeader } from '../../fixtures/avif_writer.ts';
import { bytes } from '../../fixtures/bytes.ts';

const sequenceOf = (data: Uint8Array) => av1Sequence(new Cursor(data), 0, data.length);
const sizeOf = (data: Uint8Array) => {
  const sequence = sequenceOf(data);
  return sequence && { width: sequence.width, height: sequence.height };
};

/** Fields as `value:bits`. */
const fields = (text: string) =>
  text.split(' ').map((field) => field.split(':').map(Number) as [value: number, width: number]);

/**
 * A sequence header in its long form, with these fields between `reduced_still_picture_header` and the frame
 * size.
 */
const long = (between: string) =>
  obu(1, bitString(...fields(`0:3 0:1 0:1 ${between} 9:4 8:4 639:10 479:9 0:30`)));

describe('the sequence header of an AV1 bitstream', () => {
  it('reads the short header of stills', () => {
    expect(sizeOf(sequenceHeader(11, 10))).toEqual({ width: 11, height: 10 });
    expect(sizeOf(sequenceHeader(65_536, 1))).toEqual({ width: 65_536, height: 1 });
  });

  it('passes over units before it, and ones without a size', () => {
    const delimiter = obu(2, bytes());
    expect(sizeOf(bytes(delimiter, obu(5, bytes('metadata')), sequenceHeader(3, 4)))).toEqual({
      width: 3,
      height: 4,
    });
    const bare = sequenceHeader(3, 4).slice(2);
    expect(sizeOf(bytes(1 << 3, bare))).toEqual({ width: 3, height: 4 });
    expect(sizeOf(bytes((1 << 3) | 4 | 2, 0, bare.length, bare))).toEqual({ width: 3, height: 4 });
  });

  it.each([
    // timing_info_present, initial_display_delay_present, operating_points_cnt_minus_1, then idc and level of
    // each
    ['no timing', '0:1 0:1 0:5 0:12 4:5'],
    ['a level with a tier', '0:1 0:1 0:5 0:12 9:5 1:1'],
    ['two operating points with display delays', '0:1 1:1 1:5 0:12 4:5 1:1 3:4 0:12 4:5 0:1'],
    [
      'timing with an interval and a decoder model',
      '1:1 1:32 25:32 1:1 6:5 1:1 7:5 1:32 9:5 9:5 0:1 0:5 0:12 4:5 1:1 1:8 2:8 0:1',
    ],
  ])('reads the long header: %s', (_, between) => {
    expect(sizeOf(long(between))).toEqual({ width: 640, height: 480 });
  });

  it.each([
    ['frame ids', '1:1 3:4 2:3'],
    ['none', '0:1'],
  ])('reads what comes behind the size in the long header, with %s', (_, ids) => {
    const size = '0:3 0:1 0:1 0:1 0:1 0:5 0:12 4:5 9:4 8:4 639:10 479:9';
    const tools = '1:1 0:2 0:4 1:1 0:2 1:1 1:1 0:3 0:3';
    const sequence = sequenceOf(obu(1, bitString(...fields(`${size} ${ids} ${tools} 1:1 0:20`))));
    expect(sequence).toMatchObject({ width: 640, superblocks128: true, depth: 10 });
  });

  it.each<[string, SequenceOptions, Partial<Av1Sequence>]>([
    ['4:2:0', {}, { depth: 8, subX: 1, subY: 1, monochrome: false }],
    ['4:2:0 of 10 bits', { depth: 10 }, { depth: 10, subX: 1, subY: 1 }],
    ['4:4:4', { profile: 1 }, { depth: 8, subX: 0, subY: 0 }],
    ['4:2:2', { profile: 2 }, { depth: 8, subX: 1, subY: 0 }],
    ['4:2:2 of 10 bits', { profile: 2, depth: 10 }, { depth: 10, subX: 1, subY: 0 }],
    ['4:2:0 of 12 bits', { profile: 2, depth: 12, sampling: [1, 1] }, { depth: 12, subX: 1, subY: 1 }],
    ['4:2:2 of 12 bits', { profile: 2, depth: 12, sampling: [1, 0] }, { depth: 12, subX: 1, subY: 0 }],
    ['4:4:4 of 12 bits', { profile: 2, depth: 12, sampling: [0, 0] }, { depth: 12, subX: 0, subY: 0 }],
    ['grey', { monochrome: true }, { monochrome: true, subX: 1, subY: 1 }],
    ['grey of 12 bits', { profile: 2, depth: 12, monochrome: true }, { depth: 12, monochrome: true }],
    ['large superblocks', { superblocks128: true }, { superblocks128: true }],
  ])('tells how samples lie: %s', (_, options, wanted) => {
    const sequence = sequenceOf(sequenceHeader(30, 20, options));
    expect(sequence).toMatchObject({ width: 30, height: 20, superblocks128: false, ...wanted });
  });

  it('tells code points and range', () => {
    const pointsOf = (options: SequenceOptions) => sequenceOf(sequenceHeader(3, 4, options))!.codePoints;
    expect(pointsOf({})).toEqual({ primaries: 2, transfer: 2, matrix: 2, fullRange: false });
    expect(pointsOf({ codePoints: [9, 16, 9], fullRange: true })).toEqual({
      primaries: 9,
      transfer: 16,
      matrix: 9,
      fullRange: true,
    });
    const srgb = { profile: 1, codePoints: [1, 13, 0] } as const;
    expect(pointsOf(srgb)).toEqual({ primaries: 1, transfer: 13, matrix: 0, fullRange: true });
    expect(sequenceOf(sequenceHeader(3, 4, srgb))).toMatchObject({ subX: 0, subY: 0 });
    expect(pointsOf({ monochrome: true, fullRange: true }).fullRange).toBe(true);
  });

  it('says nothing where there is no header', () => {
    expect(sizeOf(bytes())).toBeNull();
    expect(sizeOf(bytes('pixels'))).toBeNull();
    expect(sizeOf(obu(6, bytes('frame')))).toBeNull();
    expect(
      sizeOf(bytes(...Array.from({ length: 40 }, () => obu(2, bytes())), sequenceHeader(3, 4))),
    ).toBeNull();
  });
});
