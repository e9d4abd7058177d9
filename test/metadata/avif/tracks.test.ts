import { expect, it } from 'vitest';
import { readTracks } from '../../../src/metadata/avif/tracks.ts';
import { boxes } from '../../../src/metadata/boxes.ts';
import { Cursor, WORK_AT_ONCE } from '../../../src/metadata/cursor.ts';
import { box } from '../../fixtures/avif_writer.ts';
import { bytes, u32 } from '../../fixtures/bytes.ts';

/** A track whose sample table has so many sample entries of so many boxes. */
function track(entries: number, each: number): Uint8Array {
  const entry = box('av01', new Uint8Array(78), Array(each).fill(box('zzzz')));
  const table = box('stbl', Array(entries).fill(box('stsd', u32(0), u32(1), entry)));
  return box('moov', box('trak', box('mdia', box('minf', table))));
}

it('gives way among the boxes of a sample entry, and keeps no more than writers have', () => {
  const cursor = new Cursor(bytes(track(3, 40_000)));
  const [moov] = boxes(cursor, 0, cursor.length);
  const parts = readTracks(cursor, moov!);
  const pauses: number[] = [];
  let part = parts.next();
  for (; !part.done; part = parts.next()) pauses.push(part.value);
  expect(part.value[0]?.properties).toHaveLength(256);
  expect(pauses.length).toBeGreaterThan(3);
  expect(Math.max(...pauses)).toBeLessThan(2 * WORK_AT_ONCE);
});
