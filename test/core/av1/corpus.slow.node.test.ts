import { describe, expect, it } from 'vitest';
import { ItemTable } from '../../../src/metadata/avif/items.ts';
import { boxes } from '../../../src/metadata/boxes.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { decodeByDav1d, haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { readAv1, withAv1 } from '../../fixtures/av1/av1_reader.ts';
import { planeDifference } from '../../fixtures/av1/yuv_pictures.ts';
import { corpusBytes, corpusFiles, corpusPresent } from '../../fixtures/corpus.ts';

/** The OBUs of every image item of a file, alpha planes and tiles of grids among them. */
function av1Items(file: Uint8Array): Uint8Array[] {
  const cursor = Cursor.unlimited(file);
  const table = new ItemTable(cursor);
  for (const box of boxes(cursor, 0, cursor.length)) if (box.type === 'meta') resultOf(table.read(box));
  return [...table.items.values()]
    .filter(({ type, extents }) => type === 'av01' && extents)
    .map(({ extents }) => Buffer.concat(extents!.map(({ start, end }) => file.subarray(start, end))))
    .map((bytes) => new Uint8Array(bytes));
}

describe.skipIf(!haveAomTools || !corpusPresent)('AV1 items of the corpus', () => {
  it('have the samples of dav1d', () => {
    const wrong: string[] = [];
    let read = 0;
    const readable = corpusFiles('avif').filter(({ expect: { status } }) =>
      status.every((code) => code === 200),
    );
    for (const entry of readable) {
      for (const [index, obus] of av1Items(corpusBytes(entry)).entries()) {
        const depth = withAv1(obus, ({ facts }) => facts.depth);
        const planes = readAv1(obus);
        // The demuxer expects a temporal unit, which the items of a file need not begin.
        const unit = Uint8Array.from([0x12, 0x00, ...obus]);
        const difference = planeDifference(planes, decodeByDav1d(unit, { depth, planes }));
        if (difference) wrong.push(`${entry.file} item ${index}: ${difference}`);
        read++;
      }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(100);
  });
});
