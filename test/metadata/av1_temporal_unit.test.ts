import { expect, it } from 'vitest';
import { firstTemporalUnit } from '../../src/metadata/av1_temporal_unit.ts';
import { bytes } from '../fixtures/bytes.ts';

const [SEQUENCE, DELIMITER, HEADER, GROUP, METADATA, FRAME, REDUNDANT, PADDING] = [1, 2, 3, 4, 5, 6, 7, 15];
const unit = (type: number, ...payload: number[]) => bytes((type << 3) | 2, payload.length, payload);
/** With an extension header: a spatial layer. */
const layered = (type: number, layer: number, ...payload: number[]) =>
  bytes((type << 3) | 6, layer << 3, payload.length, payload);
const joined = (pieces: readonly Uint8Array[]) => [...bytes(...pieces)];

it('is the first sequence header, all frames and their tiles, and nothing else', () => {
  const kept = [
    unit(SEQUENCE, 1, 2),
    layered(FRAME, 0, 3, 4, 5),
    layered(HEADER, 1, 6),
    layered(GROUP, 1, 7, 8),
  ];
  const [first, lower, header, tiles] = kept as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const stream = bytes(
    ...[unit(DELIMITER), first, unit(METADATA, 9), lower, unit(SEQUENCE, 1, 2, 3)],
    ...[header, unit(REDUNDANT, 6), tiles, unit(PADDING, 0, 0)],
  );
  const { pieces, ...rest } = firstTemporalUnit(stream);
  expect(joined(pieces)).toEqual(joined(kept));
  expect(rest).toEqual({ frames: 2, whole: true });
});

it('ends at a temporal delimiter behind a frame', () => {
  const stream = bytes(unit(SEQUENCE, 1), unit(DELIMITER), unit(FRAME, 2));
  const longer = bytes(stream, unit(DELIMITER), unit(FRAME, 3));
  expect(joined(firstTemporalUnit(longer).pieces)).toEqual(joined(firstTemporalUnit(stream).pieces));
  expect(firstTemporalUnit(longer)).toMatchObject({ frames: 1, whole: true });
});

it('tells where a unit reaches beyond the bitstream', () => {
  const stream = bytes(unit(SEQUENCE, 1), unit(FRAME, 2, 3, 4));
  for (let length = 1; length < stream.length; length++) {
    const isWhole = length === unit(SEQUENCE, 1).length;
    expect(firstTemporalUnit(stream.subarray(0, length)).whole, `${length} bytes`).toBe(isWhole);
  }
});

it('a unit without a size reaches to the end', () => {
  const stream = bytes(unit(SEQUENCE, 1), FRAME << 3, 5, 6, 7);
  const { pieces, frames, whole } = firstTemporalUnit(stream);
  expect([frames, whole]).toEqual([1, true]);
  expect(joined(pieces)).toEqual([...stream]);
});

it('looks at 1024 units', () => {
  const units = (count: number) => bytes(...Array.from({ length: count }, () => unit(GROUP)));
  expect(firstTemporalUnit(units(1024)).whole).toBe(true);
  expect(firstTemporalUnit(units(1025))).toMatchObject({ whole: false, pieces: { length: 1024 } });
});
