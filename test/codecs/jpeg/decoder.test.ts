import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jpegDecoder, openingJpeg } from '../../../src/codecs/jpeg/decoder.ts';
import { samplesOf } from '../../../src/codecs/jpeg/planes.ts';
import type { Raster, Want } from '../../../src/codecs/types.ts';
import { createCore } from '../../../src/core/instance.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { CoreBytes } from '../../../src/memory/owned_bytes.ts';
import type { JpegFacts } from '../../../src/metadata/facts.ts';
import { scan } from '../../../src/metadata/scan.ts';
import {
  type DecoderSample,
  decoderCases,
  firstDifference,
  readWhole,
  stillFacts,
} from '../../cases/decoder_cases.ts';
import { bytes } from '../../fixtures/bytes.ts';
import {
  type RandomJpeg,
  randomComponents,
  randomJpeg,
  samplingOf,
} from '../../fixtures/jpeg_writer/samples.ts';
import { JFIF, jpeg, segment } from '../../fixtures/jpeg_writer/segments.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';

const colour420 = samplingOf('22 11 11');
const colour444 = samplingOf('11 11 11');
const colour422 = samplingOf('21 11 11');
const colour440 = samplingOf('12 11 11');
const grey = [[1, 1]] as const;
const ycck = samplingOf('22 11 11 22');

function sample(name: string, recipe: RandomJpeg, want?: DecoderSample['want']): DecoderSample {
  const bytes = writeJpeg(randomJpeg(recipe));
  const written = randomJpeg(recipe);
  const facts = stillFacts('jpeg', recipe.width, recipe.height, {
    channels: recipe.sampling.length,
    progressive: recipe.mode === 'progressive' || written.scans.length > 1,
    ...{ jpeg: { sampling: recipe.sampling, scans: written.scans.length } satisfies JpegFacts },
  });
  return { name, bytes, facts, ...(want ? { want } : {}) };
}

it('takes its layout from what the scanner finds', () => {
  for (const recipe of [
    { width: 80, height: 61, sampling: colour420, mode: 'baseline' },
    { width: 50, height: 33, sampling: ycck, mode: 'lone scans', restart: 5 },
    { width: 40, height: 41, sampling: grey, mode: 'progressive' },
  ] as const) {
    const { bytes, facts } = sample(recipe.mode, recipe);
    expect(scan(bytes)!.jpeg).toEqual(facts.jpeg);
  }
});

decoderCases({
  decoder: jpegDecoder,
  samples: [
    sample('baseline 4:2:0', { width: 80, height: 61, sampling: colour420, mode: 'baseline' }),
    sample('lone scans 4:2:2', {
      width: 50,
      height: 33,
      sampling: colour422,
      mode: 'lone scans',
      restart: 5,
    }),
    sample('progressive 4:4:4', { width: 40, height: 41, sampling: colour444, mode: 'progressive' }),
    sample('grey', { width: 19, height: 70, sampling: grey, mode: 'baseline', restart: 1 }),
    sample('YCCK', { width: 33, height: 20, sampling: ycck, mode: 'baseline' }),
    sample('half', { width: 80, height: 61, sampling: colour420, mode: 'baseline' }, { minWidth: 40 }),
    sample(
      'eighth, progressive',
      { width: 80, height: 61, sampling: colour420, mode: 'progressive' },
      { minWidth: 9 },
    ),
    sample(
      'three eighths, for resizing',
      { width: 80, height: 61, sampling: colour420, mode: 'baseline', restart: 2 },
      { minWidth: 30, forResizing: true },
    ),
    sample(
      'five eighths, for resizing, progressive',
      { width: 80, height: 61, sampling: colour420, mode: 'progressive' },
      { minWidth: 50, forResizing: true },
    ),
  ],
  cuts: 40,
});

const samplings = [colour420, colour444, colour422, colour440, grey, ycck, samplingOf('41 11 11')];
const modes = ['baseline', 'lone scans', 'progressive'] as const;

describe('a JPEG gives way', () => {
  const work = (reading: Iterable<unknown>) =>
    [...reading].filter((item) => typeof item === 'number') as number[];
  const restarts = (count: number) => {
    const data = new Uint8Array(count * 2).fill(0xff);
    for (let at = 1; at < data.length; at += 2) data[at] = 0xd0;
    return data;
  };

  it('while its markers are walked over, where there is nothing else', () => {
    for (const head of [bytes(JFIF, Array(600_000).fill(segment(0xfe))), JFIF]) {
      const file = jpeg({
        head,
        scans: [{ of: [0], data: bytes(0, 0, restarts(head === JFIF ? 2_000_000 : 1)) }],
      });
      expect(work(openingJpeg(file)).length).toBeGreaterThan(5);
    }
    expect(work(openingJpeg(jpeg()))).toEqual([]);
  });

  it('on the way to a row of blocks that is long, or has many bytes or scans', () => {
    const wide = { width: 40_000, height: 16, sampling: colour420 };
    for (const mode of ['baseline', 'lone scans', 'progressive'] as const) {
      using raster = openJpeg(writeJpeg(randomJpeg({ ...wide, mode })));
      const found = [...raster.strips()];
      expect(found.findIndex((strip) => typeof strip !== 'number')).toBeGreaterThan(1);
      expect(work(samplesOf(raster)!.bands()).length).toBeGreaterThan(1);
    }
  });

  it('by the bytes of its data, where these count for more than its pixels', () => {
    const dense = writeJpeg(randomJpeg({ width: 80, height: 80, sampling: grey, mode: 'baseline' }));
    using raster = openJpeg(dense);
    expect(work(raster.strips()).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(dense.length / 4);
    using plain = openJpeg(jpeg({ width: 80, height: 80, scans: [{ of: [0], data: new Uint8Array(25) }] }));
    expect(work(plain.strips())).toEqual([]);
  });

  it('while the rows above a band are decoded', () => {
    const file = writeJpeg(randomJpeg({ width: 64, height: 160, sampling: grey, mode: 'baseline' }));
    using raster = openJpeg(file, { checkpoints: true });
    const before = [...raster.rows!(150, 10).strips()].findIndex((strip) => typeof strip !== 'number');
    expect(before).toBeGreaterThan(15);
  });

  it('no more where fill bytes stand between its intervals than a file can mean', () => {
    const scan = bytes(0, new Uint8Array(1_100_000).fill(0xff), 0xd0, 0);
    const file = jpeg({ head: bytes(JFIF, segment(0xdd, 0, 1)), scans: [{ of: [0], data: scan }] });
    using raster = openJpeg(file);
    expect(() => [...raster.strips()]).toThrow('restart marker is missing');
  });
});

describe('columns of a JPEG', () => {
  it('are those of the whole, at every scale', () => {
    const cases = fc.record({
      width: fc.integer({ min: 1, max: 90 }),
      height: fc.integer({ min: 1, max: 40 }),
      sampling: fc.constantFrom(...samplings),
      mode: fc.constantFrom(...modes),
      seed: fc.nat(1000),
      restart: fc.constantFrom(0, 0, 1, 3),
      checkpoints: fc.boolean(),
      scale: fc.constantFrom(1, 1, 1.6, 2, 2.6, 4, 8),
      forResizing: fc.boolean(),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ scale, forResizing, from, share, checkpoints, ...recipe }) => {
        using raster = openJpeg(writeJpeg(randomJpeg(recipe)), {
          checkpoints,
          forResizing,
          minWidth: Math.ceil(recipe.width / scale),
        });
        const whole = readWhole(raster);
        const x = Math.min(raster.width - 1, Math.floor(from * raster.width));
        const width = Math.max(1, Math.floor(share * (raster.width - x)));
        const expected = new Uint8Array(width * raster.height * 4);
        for (let y = 0; y < raster.height; y++) {
          const at = (y * raster.width + x) * 4;
          expected.set(whole.subarray(at, at + width * 4), y * width * 4);
        }
        // Twice: a second band may be found without decoding what is before it.
        expect(firstDifference(readWhole(raster.columns!(x, width)), expected)).toBe('none');
        expect(firstDifference(readWhole(raster.columns!(x, width)), expected)).toBe('none');
        expect(firstDifference(readWhole(raster), whole)).toBe('none');
      }),
      { numRuns: 300, seed: 6 },
    );
  });

  it('and its rows are those of the whole, at every scale, in any order', () => {
    const cases = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 120 }),
      sampling: fc.constantFrom(...samplings),
      mode: fc.constantFrom(...modes),
      seed: fc.nat(1000),
      restart: fc.constantFrom(0, 0, 1, 3),
      checkpoints: fc.constantFrom(true, true, false),
      scale: fc.constantFrom(1, 1, 1.6, 2, 2.6, 4, 8),
      forResizing: fc.boolean(),
      bands: fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40)), {
        minLength: 1,
        maxLength: 5,
      }),
    });
    fc.assert(
      fc.property(cases, ({ scale, forResizing, bands, checkpoints, ...recipe }) => {
        using raster = openJpeg(writeJpeg(randomJpeg(recipe)), {
          checkpoints,
          forResizing,
          minWidth: Math.ceil(recipe.width / scale),
        });
        const whole = readWhole(raster);
        const stride = raster.width * 4;
        for (const [from, count] of bands) {
          const y = Math.min(raster.height - 1, Math.floor(from * raster.height));
          const height = Math.min(raster.height - y, count + 1);
          const expected = whole.subarray(y * stride, (y + height) * stride);
          expect(firstDifference(readWhole(raster.rows!(y, height)), expected)).toBe('none');
        }
        expect(firstDifference(readWhole(raster), whole)).toBe('none');
      }),
      { numRuns: 300, seed: 8 },
    );
  });

  const long = modes.flatMap((mode) => [0, 7].map((restart) => [mode, restart] as const));
  it.each(long)('are found in long data, %s, restarts every %i MCUs', (mode, restart) => {
    const recipe = randomJpeg({ width: 600, height: 150, sampling: colour420, mode, restart });
    // Full blocks: more than one buffer of data an MCU row.
    const bytes = writeJpeg({ ...recipe, components: randomComponents(colour420, 5, 1) });
    using raster = openJpeg(bytes, { checkpoints: true });
    using other = openJpeg(bytes);
    for (let turn = 0; turn < 2; turn++) {
      for (let x = 0; x < 600; x += 90) {
        const width = Math.min(90, 600 - x);
        const expected = readWhole(other.columns!(x, width));
        expect(firstDifference(readWhole(raster.columns!(x, width)), expected)).toBe('none');
      }
    }
    expect(firstDifference(readWhole(raster), readWhole(other))).toBe('none');
  });

  it('count as work what is passed over beside them, until it is known where they begin', () => {
    const bytes = writeJpeg(randomJpeg({ width: 400, height: 64, sampling: grey, mode: 'baseline' }));
    const workOn = (raster: Raster) =>
      [...raster.strips()].reduce<number>((sum, strip) => sum + (typeof strip === 'number' ? strip : 0), 0);
    using noted = openJpeg(bytes);
    using forgotten = openJpeg(bytes);
    const beside = ((400 - 40) * 64) / 2;
    // Random data have more bytes than their pixels count for.
    const own = workOn(noted);
    using again = openJpeg(bytes, { checkpoints: true });
    expect([1, 2].map(() => workOn(again.columns!(80, 40)) - own)).toEqual([beside, 0]);
    expect([1, 2].map(() => workOn(forgotten.columns!(80, 40)) - own)).toEqual([beside, beside]);
  });

  it('lie inside the image, and end the read before them', () => {
    using raster = openJpeg(
      writeJpeg(randomJpeg({ width: 20, height: 40, sampling: grey, mode: 'baseline' })),
    );
    for (const [x, width] of [
      [-1, 3],
      [18, 3],
      [0, 0],
      [0.5, 1],
    ] as const) {
      expect(() => raster.columns!(x, width)).toThrow(RangeError);
    }
    const read = raster.strips()[Symbol.iterator]();
    read.next();
    for (const _strip of raster.columns!(3, 4).strips()) break;
    expect(() => [read.next(), read.next()]).toThrow(/ended when another/);
  });
});

describe('a shrunk JPEG', () => {
  it.each([2, 4, 8])('by %i is the mean of its blocks, where no sample is clipped', (scale) => {
    const recipe = randomJpeg({ width: 64, height: 48, sampling: grey, mode: 'baseline', seed: 3 });
    // Small coefficients: all samples stay inside 0 to 255.
    const components = recipe.components.map((component) => ({
      ...component,
      block: (column: number, row: number) =>
        Array.from(component.block(column, row), (value) => Math.trunc(value / 4)),
    }));
    const bytes = writeJpeg({ ...recipe, components });
    using full = openJpeg(bytes);
    using shrunk = openJpeg(bytes, { minWidth: 64 / scale });
    const [whole, small] = [readWhole(full), readWhole(shrunk)];
    expect(shrunk.width).toBe(64 / scale);
    for (let y = 0; y < shrunk.height; y++) {
      for (let x = 0; x < shrunk.width; x++) {
        let sum = 0;
        for (let i = 0; i < scale * scale; i++) {
          sum += whole[((y * scale + Math.floor(i / scale)) * 64 + x * scale + (i % scale)) * 4]!;
        }
        expect(Math.abs(small[(y * shrunk.width + x) * 4]! - sum / scale ** 2)).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('memory of reading a JPEG', () => {
  const sizes = [
    [900, 40],
    [4000, 24],
    [8660, 32],
  ] as const;

  it.each(
    samplings.flatMap((sampling) => modes.map((mode) => [JSON.stringify(sampling), mode, sampling] as const)),
  )('is predicted for %s, %s, within a quarter', (_name, mode, sampling) => {
    for (const [width, height] of sizes) {
      const [eighth, half] = [width / 8, width / 2];
      const wants: Want[] = [{}, { minWidth: eighth }, { minWidth: half, forResizing: true }];
      for (const want of wants) {
        const { bytes, facts } = sample('', {
          width,
          height: mode === 'baseline' ? height : 8,
          sampling,
          mode,
          seed: 2,
        });
        const core = createCore();
        using raster = openJpeg(bytes, { core, checkpoints: true, ...want });
        readWhole(raster);
        const once = core.heldBytes;
        readWhole(raster.columns!(1, raster.width - 1));
        readWhole(raster);
        expect(core.heldBytes).toBe(once);
        const counted = once - bytes.length;
        const predicted = totalBytes(jpegDecoder.cost({ ...facts, orientation: 6 }, want));
        expect(predicted).toBeGreaterThanOrEqual(counted);
        // WASM memory comes in pages of 64 KB; one for the decoder, one for the compressed bytes.
        expect(predicted).toBeLessThanOrEqual(counted * 1.25 + 2 * 65_536);
      }
    }
  });

  it('is given back on disposal', () => {
    const core = createCore();
    const before = core.exports.mark();
    const bytes = writeJpeg(randomJpeg({ width: 30, height: 30, sampling: colour420, mode: 'progressive' }));
    for (let turn = 0; turn < 3; turn++) {
      using raster = openJpeg(bytes, { core });
      readWhole(raster);
    }
    expect(core.exports.mark()).toBe(before);
  });

  it('holds no copy of bytes that live in a core, even when growth has detached their view', () => {
    const bytes = writeJpeg(randomJpeg({ width: 300, height: 200, sampling: colour420, mode: 'baseline' }));
    const core = createCore();
    const resident = CoreBytes.allocate(core, bytes.length);
    const view = resident.bytes;
    view.set(bytes);
    core.alloc(1 << 20);
    expect(view.length).toBe(0);
    const before = core.exports.mark();
    using raster = openJpeg(resident);
    const held = core.exports.mark() - before;
    using other = openJpeg(bytes);
    expect(firstDifference(readWhole(raster), readWhole(other))).toBe('none');
    const again = createCore();
    const start = again.exports.mark();
    using _copied = openJpeg(bytes, { core: again });
    expect(again.exports.mark() - start - held).toBeGreaterThanOrEqual(bytes.length);
  });
});
