import { describe, expect, it } from 'vitest';
import { hiddenData, hiddenDataCost } from '../../../src/metadata/jpeg/hidden.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { bytes as join } from '../../fixtures/bytes.ts';
import { type RandomJpeg, randomJpeg } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { mutate } from '../../fixtures/mutations.ts';
import { seededBelow } from '../../fixtures/random.ts';

/** What is found, and the work that was told meanwhile. */
function search(file: Uint8Array): { places: { start: number; end: number }[]; work: number } {
  const facts = scan(file);
  if (!facts) return { places: [], work: 0 };
  const walk = hiddenData(file, facts);
  let work = 0;
  for (;;) {
    const { done, value } = walk.next();
    if (done) return { places: value.map(({ start, end }) => ({ start, end })), work };
    work += value;
  }
}

/** Where the entropy-coded data of each restart interval end, before fill bytes. */
function endsOfIntervals(file: Uint8Array): number[] {
  const ends: number[] = [];
  const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;
  for (let at = 2; at < file.length; ) {
    while (file[at + 1] === 0xff) at++;
    const marker = file[at + 1]!;
    if (marker === 0xd9) return ends;
    at += 2 + file[at + 2]! * 256 + file[at + 3]!;
    if (marker !== 0xda) continue;
    for (; ; at++) {
      if (file[at] !== 0xff || file[at + 1] === 0) continue;
      let code = at + 1;
      while (file[code] === 0xff) code++;
      ends.push(at);
      at = code;
      if (isRestart(file[code]!)) continue;
      at = code - 1;
      break;
    }
  }
  return ends;
}

const samplings: readonly RandomJpeg['sampling'][] = [
  [[1, 1]],
  [
    [2, 2],
    [1, 1],
    [1, 1],
  ],
  [
    [2, 1],
    [1, 1],
    [1, 1],
  ],
  [
    [1, 2],
    [1, 1],
    [2, 1],
  ],
];

/** Files of every mode and sampling, with restarts and without. */
function* files(): Generator<Uint8Array<ArrayBuffer>> {
  let seed = 1;
  for (const mode of ['baseline', 'lone scans', 'progressive'] as const) {
    for (const sampling of samplings) {
      for (const restart of [0, 1, 5]) {
        const size = { width: 9 + 17 * (seed % 5), height: 8 + 11 * (seed % 7) };
        const recipe = randomJpeg({ ...size, sampling, mode, restart, seed: seed++ });
        yield writeJpeg({ ...recipe, fill: seed % 3, dnl: seed % 4 === 0 });
      }
    }
  }
}

/** Bytes as an encoder could have written them, which neither begin nor end like fill bytes or markers. */
function someData(below: (most: number) => number): number[] {
  const inner = Array.from({ length: below(30) }, () => below(256));
  return [1 + below(254), ...inner, 1 + below(254)].flatMap((byte) => (byte === 255 ? [255, 0] : [byte]));
}

describe('data between an MCU and the marker behind it', () => {
  it('is found to the byte, in every mode, behind scans and restart intervals', () => {
    const below = seededBelow(7);
    let intervals = 0;
    for (const file of files()) {
      const ends = endsOfIntervals(file);
      intervals += ends.length;
      for (let n = 0; n < 4; n++) {
        const end = n === 0 ? ends.at(-1)! : ends[below(ends.length)]!;
        const data = someData(below);
        const hiding = join(file.subarray(0, end), data, file.subarray(end));
        expect(search(hiding).places).toEqual([{ start: end, end: end + data.length }]);
      }
    }
    expect(intervals).toBeGreaterThan(500);
  });

  it('is told apart from the bits and bytes that fill up', () => {
    for (const file of files()) expect(search(file).places).toEqual([]);
  });

  it('is found in several places of one file, 256 of which stay apart', () => {
    const sampling = [[1, 1]] as const;
    const file = writeJpeg(randomJpeg({ width: 320, height: 80, sampling, mode: 'baseline', restart: 1 }));
    const ends = endsOfIntervals(file);
    const parts = ends.flatMap((end, n) => [file.subarray(ends[n - 1] ?? 0, end), [7, 7]]);
    const { places } = search(join(...parts, file.subarray(ends.at(-1)!)));
    expect(ends.length).toBe(400);
    expect(places.length).toBe(256);
    expect(places[1]!.end - places[1]!.start).toBe(2);
    expect(places.at(-1)!.end).toBe(ends.at(-1)! + 2 * ends.length);
  });

  it('is found behind a restart marker that nothing needs', () => {
    const [file] = files();
    const end = endsOfIntervals(file!).at(-1)!;
    const extra = (...data: number[]) => join(file!.subarray(0, end), data, file!.subarray(end));
    expect(search(extra(0xff, 0xd0)).places).toEqual([]);
    expect(search(extra(0xff, 0xd0, 5, 6)).places).toEqual([{ start: end + 2, end: end + 4 }]);
  });
});

describe('the search', () => {
  it('takes memory for progressive pictures only', () => {
    const size = { width: 65, height: 33, sampling: samplings[1]! };
    const cost = (mode: RandomJpeg['mode']) =>
      hiddenDataCost(scan(writeJpeg(randomJpeg({ ...size, mode })))!);
    expect(cost('baseline')).toBe(0);
    // 9 × 5 blocks of luma, 5 × 3 of each chroma.
    expect(cost('progressive')).toBe(8 * (45 + 2 * 15));
  });

  it('gives turns', () => {
    const sampling = [[1, 1]] as const;
    const file = writeJpeg(randomJpeg({ width: 800, height: 640, sampling, mode: 'baseline' }));
    expect(search(file).work).toBeGreaterThan(4096);
  });

  it('ends without an error whatever the bytes are', () => {
    const below = seededBelow(3);
    let whole = 0;
    for (const file of files()) {
      for (let n = 0; n < 20; n++) {
        const mutant = mutate(file, below);
        if (scan(mutant)?.complete) whole++;
        for (const { start, end } of search(mutant).places) expect(start).toBeLessThan(end);
      }
    }
    expect(whole).toBeGreaterThan(100);
  });
});
