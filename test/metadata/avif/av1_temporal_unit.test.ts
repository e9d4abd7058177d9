import { expect, it } from 'vitest';
import { firstTemporalUnit } from '../../../src/metadata/avif/av1_temporal_unit.ts';
import { bytes } from '../../fixtures/bytes.ts';

const [SEQUENCE, DELIMITER, HEADER, GROUP, METADATA, FRAME, REDUNDANT, PADDING] = [1, 2, 3, 4, 5, 6, 7, 15];
const unit = (type: number, ...payload: number[]) => bytes((type << 3) | 2, payload.length, payload);
/** With an extension header: a spatial layer. */
const layered = (type: number, layer: number, ...payload: number[]) =>
  bytes((type << 3) | 6, layer << 3, payload.length, payload);
const joined = (pieces: readonly Uint8Array[]) => [...bytes(...pieces)];

it('is the sequence header once, all frames and their tiles, and nothing else', () => {
  const kept = [
    unit(SEQUENCE, 1, 2),
    layered(FRAME, 0, 3, 4, 5),
    layered(HEADER, 1, 6),
    layered(GROUP, 1, 7, 8),
  ];
  const [first, lower, header, tiles] = kept as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const stream = bytes(
    ...[unit(DELIMITER), first, unit(METADATA, 9), lower, unit(SEQUENCE, 1, 2)],
    ...[header, unit(REDUNDANT, 6), tiles, unit(PADDING, 0, 0)],
  );
  const { pieces, ...rest } = firstTemporalUnit(stream);
  expect(joined(pieces)).toEqual(joined(kept));
  expect(rest).toEqual({ frames: 2 });
});

it('ends at a temporal delimiter behind a frame', () => {
  const stream = bytes(unit(SEQUENCE, 1), unit(DELIMITER), unit(FRAME, 2));
  const longer = bytes(stream, unit(DELIMITER), unit(FRAME, 3));
  expect(joined(firstTemporalUnit(longer).pieces)).toEqual(joined(firstTemporalUnit(stream).pieces));
  expect(firstTemporalUnit(longer)).toMatchObject({ frames: 1 });
  expect(firstTemporalUnit(longer).defect).toBeUndefined();
});

it.each([
  ['behind a frame', [unit(SEQUENCE, 1, 2), unit(FRAME, 3), unit(SEQUENCE, 1, 4)]],
  ['before all frames', [unit(SEQUENCE, 1, 2), unit(SEQUENCE, 1), unit(FRAME, 3)]],
  ['in a layer', [unit(SEQUENCE, 1, 2), unit(FRAME, 3), layered(SEQUENCE, 1, 1, 4), layered(FRAME, 1, 5)]],
])('tells of another sequence header %s', (_, units) => {
  expect(firstTemporalUnit(bytes(...units)).defect).toContain('sequence headers that differ');
});

it.each([
  [[0, 1, 2, 3], false],
  [[0, 2], false],
  [[1, 3], false],
  [[0, 2, 1], true],
  [[0, 1, 0], true],
  [[0, 1, 1], true],
] as const)('layers %j: whether they are out of order is %s', (layers, isUnordered) => {
  const units = layers.map((layer, i) => layered(i % 2 === 0 ? FRAME : HEADER, layer, i));
  const { defect } = firstTemporalUnit(bytes(unit(SEQUENCE, 1), ...units));
  expect(defect).toEqual(isUnordered ? expect.stringContaining('do not ascend') : undefined);
});

it('a frame that is in no layer is below all', () => {
  const frames = [unit(FRAME, 1), layered(FRAME, 1, 2)] as const;
  expect(firstTemporalUnit(bytes(...frames)).defect).toBeUndefined();
  expect(firstTemporalUnit(bytes(frames[1], frames[0])).defect).toContain('do not ascend');
});

it('tells where a unit reaches beyond the bitstream', () => {
  const stream = bytes(unit(SEQUENCE, 1), unit(FRAME, 2, 3, 4));
  for (let length = 1; length < stream.length; length++) {
    const isWhole = length === unit(SEQUENCE, 1).length;
    const { defect } = firstTemporalUnit(stream.subarray(0, length));
    expect(defect === undefined, `${length} bytes`).toBe(isWhole);
  }
});

it('a unit without a size reaches to the end', () => {
  const stream = bytes(unit(SEQUENCE, 1), FRAME << 3, 5, 6, 7);
  const { pieces, ...rest } = firstTemporalUnit(stream);
  expect(rest).toEqual({ frames: 1 });
  expect(joined(pieces)).toEqual([...stream]);
});

it('looks at 1024 units', () => {
  const units = (count: number) => bytes(...Array.from({ length: count }, () => unit(GROUP)));
  expect(firstTemporalUnit(units(1024)).defect).toBeUndefined();
  const { defect, pieces } = firstTemporalUnit(units(1025));
  expect([defect, pieces.length]).toEqual([expect.stringContaining('too many units'), 1024]);
});
