import { describe, expect, it } from 'vitest';
import type { ColumnRange } from '../../../src/core/av1/columns.ts';
import { Av1Picture } from '../../../src/core/av1/picture.ts';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { Fault } from '../../../src/faults.ts';
import { encodeByAomenc, haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { type YuvPicture, yuvPicture } from '../../fixtures/av1/yuv_pictures.ts';
import { mutate } from '../../fixtures/mutations.ts';
import { withoutWork } from '../../fixtures/open_jpeg.ts';
import { seededBelow } from '../../fixtures/random.ts';

const GUARD_BYTES = 4096;
const GUARD = 0xa5;
/** A mutated size may ask for more: then only the headers are read. */
const MOST_BYTES = 32 << 20;

/**
 * Reads a picture whose rows are counted; with `guard` called once all its memory is reserved.
 * @param band columns that are read at a time, from the right; 0 for all
 */
function read(core: Core, at: number, length: number, band: number, guard: () => void): Fault | undefined {
  try {
    const picture = new Av1Picture(core, at, length);
    const { bytes, width, height, columns } = picture.facts;
    if (bytes + (columns?.bytes ?? 0) > MOST_BYTES) return undefined;
    picture.reserve();
    const ranges: ColumnRange[] = [];
    for (let to = width; band > 0 && to > 0; to -= band) ranges.push({ from: Math.max(0, to - band), to });
    if (band > 0) picture.reserveColumns(ranges);
    guard();
    for (const range of band > 0 ? ranges : [undefined]) {
      let rows = 0;
      for (const finished of withoutWork(picture.rows(range))) {
        rows += finished.rows;
        if (rows > height) throw new Error('more rows than the picture has');
      }
      if (rows !== height) throw new Error('fewer rows than the picture has');
    }
    return undefined;
  } catch (error) {
    // A trap becomes a Fault that says so.
    if (error instanceof Fault && !error.message.includes('make sense')) return error;
    throw error;
  }
}

/**
 * Reads a picture between two stretches of known bytes, and checks that they stay.
 * @returns the fault, if there was one
 */
function readGuarded(obus: Uint8Array, band = 0): Fault | undefined {
  using core = createCore();
  const guards: number[] = [];
  const guard = () => {
    const at = core.alloc(GUARD_BYTES);
    core.view(at, GUARD_BYTES).fill(GUARD);
    guards.push(at);
  };
  guard();
  const at = core.alloc(obus.length);
  core.view(at, obus.length).set(obus);
  const fault = read(core, at, obus.length, band, guard);
  for (const address of guards) {
    if (core.view(address, GUARD_BYTES).some((byte) => byte !== GUARD)) throw new Error('a guard changed');
  }
  if (core.view(at, obus.length).some((byte, i) => byte !== obus[i])) throw new Error('the file changed');
  return fault;
}

describe.skipIf(!haveAomTools)('mutated AV1 streams', () => {
  const sources: readonly (readonly [string, YuvPicture, readonly string[]])[] = [
    ['8 bits', yuvPicture('photo', 97, 71), ['--cq-level=20']],
    ['12 bits 4:2:2', yuvPicture('photo', 70, 60, '422', 12), ['--cq-level=20']],
    ['10 bits 4:4:4', yuvPicture('photo', 60, 131, '444', 10), ['--cq-level=30', '--sb-size=128']],
    ['palettes', yuvPicture('screen', 90, 70), ['--tune-content=screen', '--enable-intrabc=0']],
    ['intra block copy', yuvPicture('screen', 330, 140), ['--tune-content=screen', '--sb-size=64']],
    ['lossless', yuvPicture('photo', 50, 41), ['--lossless=1']],
    ['grain', yuvPicture('photo', 70, 70), ['--film-grain-test=5']],
    ['tiles', yuvPicture('photo', 200, 140), ['--tile-columns=2', '--tile-rows=1', '--sb-size=64']],
    ['superres', yuvPicture('photo', 150, 80), ['--superres-mode=1', '--superres-kf-denominator=13']],
    ['segments', yuvPicture('photo', 130, 100), ['--aq-mode=1', '--deltaq-mode=2', '--delta-lf-mode=1']],
  ];

  it.each(sources)(
    'of %s: 2,000 are read or refused, and nothing else is touched',
    (name, picture, switches) => {
      const original = encodeByAomenc(picture, ['--cpu-used=5', ...switches]);
      expect(readGuarded(original)).toBeUndefined();
      const below = seededBelow(name.length);
      let refused = 0;
      for (let i = 0; i < 2000; i++) {
        const fault = readGuarded(mutate(original, below));
        if (fault) refused++;
      }
      expect(refused).toBeGreaterThan(1000);
    },
  );

  it('of 1,300 columns, read in bands: 250 are read or refused, and nothing else is touched', () => {
    const switches = ['--cpu-used=8', '--cq-level=45', '--sb-size=64', '--aq-mode=1'];
    const original = encodeByAomenc(yuvPicture('photo', 1300, 70), switches);
    expect(readGuarded(original, 434)).toBeUndefined();
    const below = seededBelow(22);
    let read = 0;
    for (let i = 0; i < 250; i++) if (readGuarded(mutate(original, below), 434) === undefined) read++;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(250);
  });
});
