import { describe, expect, it } from 'vitest';
import { ROW_WORK, rowsOfStrip, rowsWork } from '../src/scheduling/work.ts';
import { changedStrips, mapStrips, paced, pacedStrips, rowsBetween } from '../src/strips.ts';
import { photoPicture, rasterOf } from './fixtures/raster.ts';

/** Reads all of it. @returns its rows as they came, and what was spent before each piece */
async function read(source: Parameters<typeof pacedStrips>[0]) {
  const spent: number[] = [];
  const pieces: { y: number; rows: number; pixels: number[] }[] = [];
  const slice = { spend: (work: number) => void spent.push(work) };
  for await (const { y, rows, pixels } of pacedStrips(source, slice)) {
    pieces.push({ y, rows, pixels: [...pixels] });
  }
  return { spent, pieces };
}

describe('paced strips', () => {
  it('are a strip in pieces where it is large, so that who takes them can give way between', async () => {
    const picture = photoPicture(2000, 100, 1);
    const { spent, pieces } = await read(rasterOf(picture, 100));
    const most = rowsOfStrip(2000, 100);
    expect(pieces.map(({ rows }) => rows)).toEqual([most, most, most, 100 - 3 * most]);
    expect(pieces.map(({ y }) => y)).toEqual([0, most, 2 * most, 3 * most]);
    expect(pieces.flatMap(({ pixels }) => pixels)).toEqual([...picture.pixels]);
    expect(spent).toEqual(pieces.map(({ rows }) => rows * (2000 + ROW_WORK)));
  });

  it('count work that comes in the place of rows, and wait where the slice is used up', async () => {
    const picture = photoPicture(4, 2, 1);
    const waited: number[] = [];
    const slice = {
      spend: (work: number) =>
        work === 99 ? Promise.resolve().then(() => void waited.push(work)) : undefined,
    };
    const source = {
      ...picture,
      *strips() {
        yield 99;
        expect(waited).toEqual([99]);
        yield { y: 0, rows: 2, pixels: picture.pixels };
      },
    };
    for await (const { rows } of pacedStrips(source, slice)) expect(rows).toBe(2);
    expect(waited).toEqual([99]);
  });

  it('of an image that ends early are an error: the output would seem complete', async () => {
    const picture = photoPicture(4, 2, 1);
    const source = { ...picture, height: 3, strips: () => [{ y: 0, rows: 2, pixels: picture.pixels }] };
    await expect(read(source)).rejects.toThrow('ended after 2 of 3 rows');
  });
});

describe('strips on their way', () => {
  it('are passed on one by one; work between them is waited for', async () => {
    const events: unknown[] = [];
    const slice = { spend: (work: number) => Promise.resolve().then(() => void events.push(work)) };
    for await (const strip of paced([{ y: 0 }, 7, 8, { y: 1 }], slice)) events.push(strip);
    expect(events).toEqual([{ y: 0 }, 7, 8, { y: 1 }]);
  });

  it('become what is made of each; work between them is passed on', () => {
    const reading = [{ y: 0 }, 7, { y: 1 }];
    const doubled = mapStrips(reading, function* ({ y }: { y: number }) {
      yield `row ${y}`;
      yield 3;
    });
    expect([...doubled]).toEqual(['row 0', 3, 7, 'row 1', 3]);
    expect([...changedStrips(reading, (strip) => void strip.y++)]).toEqual([{ y: 1 }, 7, { y: 2 }]);
  });

  it('are cut to some rows, counted from the first; work in place of what lies above', () => {
    let pulled = 0;
    function* reading() {
      for (const y of [0, 2, 4]) {
        pulled = y;
        yield { y, rows: 2, pixels: Uint8Array.of(...[0, 1].flatMap((row) => Array(4).fill(y + row))) };
      }
    }
    const kept = (readsOn: boolean) => [...rowsBetween(reading(), 1, 3, 4, readsOn)];
    expect(kept(false)).toEqual([rowsWork(2, 1), { y: 0, rows: 1, pixels: Uint8Array.of(3, 3, 3, 3) }]);
    expect(pulled).toBe(2);
    kept(true);
    expect(pulled).toBe(4);
  });
});
