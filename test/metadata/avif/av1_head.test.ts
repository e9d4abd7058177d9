import { expect, it } from 'vitest';
import { av1Head } from '../../../src/metadata/avif/av1_head.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { obu, sequenceHeader } from '../../fixtures/avif_writer.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { seededBelow } from '../../fixtures/random.ts';

/** obu_type, AV1 specification §6.2.2. */
const [DELIMITER, TILE_GROUP, METADATA, FRAME] = [2, 4, 5, 6];

/** A unit of up to 2 MB. */
const long = (type: number, content: Uint8Array) =>
  bytes(
    ...[(type << 3) | 2, (content.length & 0x7f) | 0x80, ((content.length >> 7) & 0x7f) | 0x80],
    ...[content.length >> 14, content],
  );
const filled = (length: number, value: number) => new Uint8Array(length).fill(value);

const headOf = (data: Uint8Array, ...cuts: readonly number[]) => {
  const ends = [...cuts, data.length];
  const extents = ends.map((end, i) => ({ start: i === 0 ? 0 : ends[i - 1]!, end }));
  return av1Head(Cursor.unlimited(data), extents);
};

/** Types and lengths of the units of a head. */
function unitsOf(head: Uint8Array): [type: number, length: number][] {
  const units: [number, number][] = [];
  for (let at = 0; at < head.length; ) {
    const start = at + ((head[at]! & 4) === 0 ? 1 : 2);
    const length = (head[start]! & 0x7f) | (head[start + 1]! << 7);
    units.push([(head[at]! >> 3) & 15, length]);
    at = start + 2 + length;
  }
  return units;
}

const stream = bytes(
  obu(DELIMITER, new Uint8Array()),
  sequenceHeader(40, 30),
  long(METADATA, filled(3000, 7)),
  long(FRAME, filled(70_000, 1)),
  long(TILE_GROUP, filled(500, 2)),
  bytes((FRAME << 3) | 6, 8, 100, filled(100, 3)),
);

it('keeps the sequence header and the beginnings of frames, and passes over all else', () => {
  const sequenceBytes = sequenceHeader(40, 30).length - 2;
  expect(unitsOf(headOf(stream))).toEqual([
    [DELIMITER, 0],
    [1, sequenceBytes],
    [FRAME, 1024],
    [FRAME, 100],
  ]);
});

it('is the same wherever the data are cut into extents', () => {
  const below = seededBelow(22);
  const whole = headOf(stream);
  for (let n = 0; n < 60; n++) {
    const cuts = Array.from({ length: 1 + below(6) }, () => below(below(2) ? 64 : stream.length));
    expect(headOf(stream, ...cuts.sort((a, b) => a - b))).toEqual(whole);
  }
  // Extents beyond the file hold nothing.
  const beyond = [{ start: stream.length, end: stream.length + 10 }];
  expect(av1Head(Cursor.unlimited(stream), beyond)).toHaveLength(0);
});

it('goes on to the end of a unit without a size, and ends at one that cannot be', () => {
  const unsized = bytes(sequenceHeader(40, 30), FRAME << 3, filled(30, 5));
  expect(unitsOf(headOf(unsized)).at(-1)).toEqual([FRAME, 30]);
  const endless = bytes(sequenceHeader(40, 30), (FRAME << 3) | 2, filled(9, 0x80), filled(30, 5));
  expect(unitsOf(headOf(endless))).toHaveLength(1);
});

it('passes over the reserved bit of a unit: nothing follows it', () => {
  const reserved = bytes(sequenceHeader(40, 30), (FRAME << 3) | 3, 100, filled(100, 3));
  expect(unitsOf(headOf(reserved)).at(-1)).toEqual([FRAME, 100]);
});

it('stays short however many units there are', () => {
  const frames = bytes(
    sequenceHeader(40, 30),
    ...Array.from({ length: 100 }, () => long(FRAME, filled(2000, 1))),
  );
  expect(headOf(frames).length).toBeLessThan(18_000);
  const empty = bytes(...Array.from({ length: 5000 }, () => obu(DELIMITER, new Uint8Array())));
  expect(unitsOf(headOf(empty))).toHaveLength(1024);
});
