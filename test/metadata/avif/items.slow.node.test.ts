import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ItemTable } from '../../../src/metadata/avif/items.ts';
import { boxes } from '../../../src/metadata/boxes.ts';
import { Cursor, WORK_AT_ONCE } from '../../../src/metadata/cursor.ts';
import { u32 } from '../../fixtures/bytes.ts';
import { manyItems } from '../../fixtures/metadata/hostile_files.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const ITEMS = 65_535;

function tableOf(file: Uint8Array): ItemTable {
  const cursor = new Cursor(file);
  const table = new ItemTable(cursor);
  for (const box of boxes(cursor, 0, cursor.length))
    if (box.type === 'meta') for (const _ of table.read(box));
  return table;
}

describe('a table of as many items as are read', () => {
  it.each(['Exif', 'mime'])(
    'holds little for each: texts and lists of all were moved at each collection, %s',
    (type) => {
      const file = manyItems(type, (length) => [u32(1), u32(length)], 8_000_000);
      tableOf(file);
      collect();
      const before = process.memoryUsage().heapUsed;
      const table = tableOf(file);
      collect();
      const bytesOfItem = (process.memoryUsage().heapUsed - before) / ITEMS;
      expect(table.items.size).toBe(ITEMS);
      expect(table.items.get(ITEMS)).toMatchObject({ type, extents: [{ start: 1, end: 8_000_001 }] });
      expect(bytesOfItem).toBeGreaterThan(50);
      expect(bytesOfItem).toBeLessThan(210);
    },
  );

  it('counts what making and finding each takes: a slice of them took two', () => {
    const cursor = new Cursor(manyItems('Exif', (length) => [u32(1), u32(length)], 8_000_000));
    const pauses: number[] = [];
    for (const box of boxes(cursor, 0, cursor.length))
      if (box.type === 'meta') pauses.push(...new ItemTable(cursor).read(box));
    expect(pauses.reduce((sum, work) => sum + work, 0)).toBeGreaterThan(2000 * ITEMS);
    expect(Math.max(...pauses)).toBeLessThan(1.1 * WORK_AT_ONCE);
  });
});
