import { describe, expect, it } from 'vitest';
import { ItemTable } from '../../../src/metadata/avif/items.ts';
import { boxes } from '../../../src/metadata/boxes.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { box } from '../../fixtures/avif_writer.ts';
import { bytes, u16, u32 } from '../../fixtures/bytes.ts';

/** A `meta` box that gives properties 1, 2, 3 … to items in turn, one at a time. */
function associations(items: number, count: number): Uint8Array {
  const entries = new Uint8Array(4 * count);
  for (let n = 0; n < count; n++)
    entries.set(bytes(u16(1 + (n % items)), 1, (Math.floor(n / items) % 100) + 1), 4 * n);
  return box('meta', u32(0), box('iprp', box('ipma', u32(0), u32(count), entries)));
}

function read(file: Uint8Array): { table: ItemTable; work: number } {
  const cursor = new Cursor(file);
  const table = new ItemTable(cursor);
  let work = 0;
  for (const meta of boxes(cursor, 0, cursor.length)) for (const pause of table.read(meta)) work += pause;
  return { table, work };
}

it('keeps no references that lead nowhere: two million of them took 56 MB', () => {
  const empty = box('cdsc', u16(1), u16(0));
  const references = [...Array(1000).fill(empty), box('thmb', u16(2), u16(1), u16(1)), empty];
  const { table } = read(box('meta', u32(0), box('iref', u32(0), references)));
  expect(table.references).toEqual([{ type: 'thmb', from: 2, to: [1] }]);
});

describe('properties that are added to an item one by one', () => {
  it('count by the list that is copied for each: half a megabyte of them held the thread for 70 ms', () => {
    const { table, work } = read(associations(514, 131_072));
    expect(table.items.get(7)?.properties).toHaveLength(255);
    expect(work).toBeGreaterThan(50_000_000);
  });

  it('are copied no more once there are as many as one item may have', () => {
    const { table, work } = read(associations(1, 131_072));
    const properties = table.items.get(1)?.properties;
    expect(properties).toHaveLength(255);
    expect([properties?.[0], properties?.[99], properties?.[100], properties?.[254]]).toEqual([
      1, 100, 1, 55,
    ]);
    // Of which 25 million are the reading of the numbers.
    expect(work).toBeLessThan(60_000_000);
  });
});
