import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Av1Picture, av1Facts } from '../../../src/core/av1/picture.ts';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { planesOf } from '../../fixtures/av1/av1_reader.ts';
import { type KeptName, keptRecord, keptStream, samplesHash } from '../../fixtures/av1/kept_streams.ts';
import { CoreRecord, recordLayout } from '../../fixtures/av1/records.ts';

/** With many more streams: test/conformance. */
const STREAMS = [
  'still-420-8',
  'still-444-10-superblocks-128',
  'still-422-12',
  'still-400-grain',
  'still-lossless',
  'still-screen',
  'still-tiles-matrices-deltas',
  'still-segments',
  // Of a picture narrower than 32 pixels superres keeps 16.
  'still-narrow-superres',
  'tools-400-12',
  'tools-420-8-coarse',
  'tools-420-8-grain',
  'tools-420-10-grain',
  'tools-422-10-superres',
  'tools-422-12-grain',
  'tools-444-8-fine',
  'tools-444-12',
  'plain-edges-one',
  'plain-edges-other',
  'filters-444',
  'small-blocks-444-12',
  'palettes-444',
  'screen-422-10-bt2020',
  'screen-block-copy',
  // Only what leaves has grain: blocks are copied from samples without.
  'screen-block-copy-grain',
] as const satisfies readonly KeptName[];
const GUARD_BYTES = 4096;

const samplesOf = (name: KeptName) => keptRecord().samples[name];

function lay(core: Core, name: KeptName): readonly [at: number, length: number] {
  const obus = keptStream(name);
  const at = core.alloc(obus.length);
  core.view(at, obus.length).set(obus);
  return [at, obus.length];
}

function opened(core: Core, name: KeptName): Av1Picture {
  const picture = new Av1Picture(core, ...lay(core, name));
  picture.reserve();
  return picture;
}

/** The record of a picture's frame, whose fields follow its sources. */
function openFrame(core: Core, name: KeptName) {
  const decoder = core.exports.av1Open(...lay(core, name), 0, -1, 0) >>> 0;
  const record = (path: string, kind: string, at: number) =>
    new CoreRecord(recordLayout(path, kind), at, () => core.exports.memory.buffer);
  return { decoder, record, frame: record('av1/frame.ts', 'Frame', decoder) };
}

describe('an AV1 still picture', () => {
  it.each(STREAMS)('has the samples that dav1d has decoded, and writes nothing beside it: %s', (name) => {
    using core = createCore();
    // Memory as an earlier job leaves it.
    const mark = core.exports.mark();
    core.view(core.alloc(2 ** 20), 2 ** 20).fill(0xee);
    core.exports.release(mark);
    const before = core.alloc(GUARD_BYTES);
    const picture = opened(core, name);
    const guards = [before, core.alloc(GUARD_BYTES)].map((at) => core.view(at, GUARD_BYTES).fill(0x5a));
    expect(samplesHash(planesOf(picture))).toBe(samplesOf(name));
    expect(guards.every((guard) => guard.every((byte) => byte === 0x5a))).toBe(true);
  });

  it('says what its headers say, of their beginning too, and takes the memory that it says', () => {
    const obus = keptStream('screen-422-10-bt2020');
    const facts = av1Facts(obus);
    expect(facts).toMatchObject({ width: 83, height: 61, depth: 10, monochrome: false });
    expect(facts).toMatchObject({ subsamplingX: 1, subsamplingY: 0, primaries: 9, transfer: 16, matrix: 9 });
    expect(av1Facts(obus.subarray(0, 60))).toEqual(facts);
    using core = createCore();
    const place = lay(core, 'screen-422-10-bt2020');
    const before = core.exports.mark();
    const picture = new Av1Picture(core, ...place);
    picture.reserve();
    expect(core.exports.mark() - before).toBe(facts.bytes);
    const end = core.exports.mark();
    planesOf(picture);
    expect(core.exports.mark()).toBe(end);
  });

  it('is read again from the top, and a new reading ends the one before', () => {
    using core = createCore();
    const name = 'still-tiles-matrices-deltas';
    const picture = opened(core, name);
    const left = picture.rows();
    left.next();
    for (let turn = 0; turn < 2; turn++) expect(samplesHash(planesOf(picture))).toBe(samplesOf(name));
    expect(() => left.next()).toThrow('This reading ended');
  });

  it('goes on while another one is read in the same core', () => {
    using core = createCore();
    const names = ['tools-420-10-grain', 'filters-444'] as const;
    const [one, other] = names.map((name) => opened(core, name)) as [Av1Picture, Av1Picture];
    for (const [index, [read, beside]] of [
      [one, other],
      [other, one],
    ].entries()) {
      const steps = beside!.rows();
      const { facts } = read!;
      const rows = function* () {
        for (const item of read!.rows()) {
          yield item;
          steps.next();
        }
      };
      const inTurn = { core, facts, rows } as unknown as Av1Picture;
      expect(samplesHash(planesOf(inTurn))).toBe(samplesOf(names[index]!));
    }
  });

  it('holds a few superblock rows, however high it is; all of it where blocks are copied', () => {
    using core = createCore();
    const heldOf = (name: KeptName, height: number, width?: number) => {
      const { decoder, frame } = openFrame(core, name);
      frame.set('frameHeight', height);
      frame.set('superblockRows', height / 64);
      for (const field of width ? ['frameWidth', 'upscaledWidth'] : []) frame.set(field, width!);
      return core.exports.av1Bytes(decoder) >>> 0;
    };
    expect(heldOf('tools-420-8-coarse', 64 * 100)).toBe(heldOf('tools-420-8-coarse', 64 * 10));
    // Too large for any memory.
    expect(heldOf('screen-block-copy', 65_536, 65_536)).toBeGreaterThan(2 ** 31 - 2 ** 17);
  });

  it('makes no other columns of noise than are read: noise of whole rows was made for each band', () => {
    using core = createCore();
    const { exports } = core;
    const { decoder, frame, record } = openFrame(core, 'tools-420-8-grain');
    expect(exports.av1Reserve(decoder)).toBeTruthy();
    exports.av1ReserveColumns(decoder, 0);
    const filters = record('av1/filter/state.ts', 'FilterState', frame.get('filters'));
    const grain = record('av1/grain/state.ts', 'GrainState', filters.get('grain'));
    const columns = grain.get('blocks') * 32;
    const rows = ['noise', 'noiseAbove'].map((name) => {
      const at = grain.get(name);
      return new Uint16Array(core.view(at, 2 * columns).buffer, at, columns);
    });
    const end = Math.ceil(320 / exports.av1SuperblockSize(decoder));
    exports.av1StartColumns(decoder, 0, end, 0, end, 100, 150);
    // No sample of noise: these have at most 12 bits and a sign.
    for (const row of rows) row.fill(0x7fff);
    while (exports.av1Next(decoder) !== 0);
    for (const row of rows) {
      const made = Array.from(row.keys()).filter((column) => row[column] !== 0x7fff);
      // Blocks of 32 columns, one more to blend with; chroma's are 16 wide and lie in the same rows.
      expect(made.length).toBeGreaterThan(0);
      expect(Math.min(...made)).toBeGreaterThanOrEqual(32);
      expect(Math.max(...made)).toBeLessThan(160);
    }
  });
});

/**
 * A sum that knows the order, of each table of default distributions. Slips in them change few pictures: a
 * file's rows of three values or more were compared with those of libaom when the sums were taken.
 */
it.each([
  ['mode_defaults', 2520066731],
  ['coefficient_defaults_0', 1012069031],
  ['coefficient_defaults_1', 2856869754],
  ['coefficient_defaults_2', 109851803],
  ['coefficient_defaults_3', 4104496531],
])('the distributions of %s are those of the specification', (name, sum) => {
  const source = readFileSync(`wasm/assembly/av1/cdf/${name}.ts`, 'utf8').replace(/\/\/.*$/gm, '');
  const values = source.slice(source.indexOf('[') + 1, source.lastIndexOf(']')).match(/\d+/g)!;
  expect(values.reduce((all, value) => (Math.imul(all, 31) + Number(value)) >>> 0, 7)).toBe(sum);
});
