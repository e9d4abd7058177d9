import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { type JpegEighths, JpegFile, jpegDecodeBytes, MAX_SCANS } from '../../../src/core/jpeg/decode.ts';
import { readWhole } from '../../cases/decoder_cases.ts';
import { type RandomJpeg, randomJpeg } from '../../fixtures/jpeg_writer/samples.ts';
import { ZIGZAG } from '../../fixtures/jpeg_writer/tokens.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { finished, jpegFileIn, openJpeg, withoutWork } from '../../fixtures/open_jpeg.ts';

const grey = [[1, 1]] as const;

describe('planes of a JPEG', () => {
  it('are its samples before upsampling and conversion', () => {
    const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));
    const core = createCore();
    const file = jpegFileIn(core, bytes);
    const { width } = file.reserve(8);
    using raster = openJpeg(bytes);
    const whole = readWhole(raster);
    let y = 0;
    for (const [plane] of withoutWork(file.planes())) {
      for (let row = 0; row < plane!.rows; row++, y++) {
        const samples = core.view(plane!.at + row * plane!.stride, width);
        expect([...samples]).toEqual(Array.from({ length: width }, (_, x) => whole[(y * width + x) * 4]));
      }
    }
    expect(y).toBe(40);
    expect(file.colour).toBe('grey');
  });
});

/** The lowest frequencies of a block as size × size samples, in floats: T.81 A.3.3 with fewer points. */
function lowFrequencies(block: ArrayLike<number>, quant: readonly number[], size: number): number[] {
  const basis = (x: number, u: number) =>
    u === 0 ? Math.SQRT1_2 : Math.cos(((2 * x + 1) * u * Math.PI) / (2 * size));
  return Array.from({ length: size * size }, (_, at) => {
    let sum = 0;
    for (let v = 0; v < size; v++) {
      for (let u = 0; u < size; u++) {
        const value = block[v * 8 + u]! * quant[v * 8 + u]!;
        sum += (value * basis(at % size, u) * basis(Math.floor(at / size), v)) / 4;
      }
    }
    return Math.max(0, Math.min(255, sum + 128));
  });
}

/** By samples a block side: the last place in zigzag order that components read by themselves need. */
const LAST_OF_COMPONENTS: Readonly<Record<number, number>> = { 5: 25, 3: 8 };

/**
 * A block's coefficients up to a place, and the next one whose code begins before: a run of zeros has one for
 * each 16 of them (T.81 F.1.2.2.1).
 */
function lowestOf(block: ArrayLike<number>, last: number): number[] {
  const isSet = (place: number) => block[ZIGZAG[place]!] !== 0;
  const places = ZIGZAG.map((_, place) => place);
  const next = places.find((place) => place > last && isSet(place)) ?? 64;
  let code = (places.findLast((place) => place > 0 && place <= last && isSet(place)) ?? 0) + 1;
  while (next - code >= 16) code += 16;
  const end = code <= last ? next : last;
  return Array.from(block, (value, at) => (ZIGZAG.indexOf(at) <= end ? value : 0));
}

describe('planes of a JPEG that is shrunk for resizing', () => {
  const halved = [[2, 2], ...grey, ...grey] as const;
  const wide = [[2, 1], ...grey, ...grey] as const;
  const tenth = [[4, 2], ...grey, ...grey] as const;
  it.each([
    // Samples a block side, of luma and of chroma: this is shrunk less, where that saves upsampling it.
    [5, 'baseline', halved, 5],
    [4, 'baseline', halved, 8],
    [3, 'baseline', halved, 6],
    [2, 'baseline', halved, 4],
    [1, 'baseline', halved, 2],
    [3, 'baseline', wide, 3],
    [3, 'lone scans', halved, 6],
    [5, 'progressive', halved, 5],
    [3, 'progressive', halved, 6],
    [1, 'progressive', wide, 1],
    [5, 'baseline', halved, 5, true],
    [4, 'baseline', halved, 8, true],
    [3, 'baseline', halved, 6, true],
    [1, 'baseline', halved, 2, true],
    [3, 'progressive', halved, 6, true],
    [2, 'progressive', halved, 4, true],
    [2, 'baseline', wide, 2, true],
    [3, 'baseline', tenth, 6, true],
  ] as const)(
    'by %i eighths, %s, are the lowest frequencies of its blocks',
    (eighths, mode, sampling, chroma, componentsOnly?: boolean) => {
      for (const restart of [0, 3]) {
        const jpeg = randomJpeg({ width: 96, height: 64, sampling, mode, restart, seed: 5 });
        const core = createCore();
        const file = jpegFileIn(core, writeJpeg(jpeg));
        file.reserve(eighths, false, true, componentsOnly);
        let row = 0;
        for (const planes of withoutWork(file.planes())) {
          for (const [index, { at, stride, rows }] of planes.entries()) {
            const size = index === 0 ? eighths : chroma;
            const [horizontal, vertical] = sampling[index]!;
            expect(rows).toBe(vertical * size);
            const { quantTable, block } = jpeg.components[index]!;
            const columns = (96 * horizontal) / sampling[0][0] / 8;
            for (let i = 0; i < columns * vertical; i++) {
              const [x, y] = [i % columns, Math.floor(i / columns)];
              const isCut = componentsOnly === true && mode === 'baseline';
              const whole = block(x, row * vertical + y);
              const coefficients = isCut ? lowestOf(whole, LAST_OF_COMPONENTS[size] ?? 63) : whole;
              const expected = lowFrequencies(coefficients, jpeg.quantTables[quantTable]!, size);
              const first = at + y * size * stride + x * size;
              const got = expected.map(
                (_, n) => core.view(first + Math.floor(n / size) * stride + (n % size), 1)[0]!,
              );
              const worst = Math.max(...got.map((sample, n) => Math.abs(sample - expected[n]!)));
              expect(worst, `component ${index}, block ${x}, ${row * vertical + y}`).toBeLessThan(1);
            }
          }
          row++;
        }
        expect(row).toBe(64 / 8 / sampling[0][1]);
      }
    },
  );
});

describe('a JPEG file in a core', () => {
  const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));

  it('tells what it is', () => {
    const file = jpegFileIn(createCore(), bytes);
    expect(file).toMatchObject({ width: 40, height: 40, components: 1, colour: 'grey' });
    expect(file.reserve(1)).toEqual({ width: 5, height: 5 });
  });
});

describe('the bytes that a JPEG decoder is said to hold', () => {
  const size = { width: 700, height: 90 };

  /** Bytes that the file takes in a core once it is reserved, and those it was said to. */
  function heldAndSaid(
    recipe: RandomJpeg,
    eighths: JpegEighths,
    checkpoints: boolean,
    keepsLow = eighths === 5 || eighths === 3,
    componentsOnly = false,
  ) {
    const jpeg = randomJpeg(recipe);
    using core = createCore();
    const bytes = writeJpeg(jpeg);
    const at = core.alloc(bytes.length);
    core.view(at, bytes.length).set(bytes);
    const start = core.exports.mark();
    finished(JpegFile.opening(core, at, bytes.length)).reserve(
      eighths,
      checkpoints,
      keepsLow,
      componentsOnly,
    );
    const { width, height, sampling } = recipe;
    const scans = jpeg.scans.length;
    const singleScan = recipe.mode === 'baseline' && scans === 1;
    const said = jpegDecodeBytes({
      width,
      height,
      sampling,
      singleScan,
      scans,
      eighths,
      checkpoints,
      keepsLow,
      componentsOnly,
    });
    return { held: core.exports.mark() - start, said };
  }

  const layouts: readonly [name: string, sampling: RandomJpeg['sampling'], sharedTables: number][] = [
    ['grey', grey, 0],
    ['4:4:4', [...grey, ...grey, ...grey], 2],
    ['4:2:0', [[2, 2], ...grey, ...grey], 2],
    ['4:2:2', [[2, 1], ...grey, ...grey], 2],
    ['4:1:0', [[4, 2], ...grey, ...grey], 2],
    ['four components', [[2, 2], ...grey, ...grey, [2, 2]], 4],
  ];

  it('have no checkpoints where there are too many lines for any', () => {
    const tall = { width: 8, height: 65_528, sampling: layouts[1]![1], mode: 'lone scans' as const };
    const { held, said } = heldAndSaid(tall, 8, true);
    expect(held).toBeLessThanOrEqual(said);
  });

  it('are exact for one scan, but for Huffman tables that components share', () => {
    const tableBytes = (() => {
      const { held, said } = heldAndSaid({ ...size, sampling: layouts[1]![1], mode: 'baseline' }, 8, false);
      return (said - held) / 2;
    })();
    expect(tableBytes).toBeGreaterThan(4096);
    for (const [name, sampling, shared] of layouts) {
      for (const eighths of [8, 4, 2] as const) {
        for (const checkpoints of [false, true]) {
          const { held, said } = heldAndSaid({ ...size, sampling, mode: 'baseline' }, eighths, checkpoints);
          expect(said - held, `${name}, ${eighths}/8, checkpoints: ${checkpoints}`).toBe(shared * tableBytes);
        }
      }
      // Components that share a table for AC share one to pass over coefficients, too: 2 × 2^11 bytes.
      for (const [eighths, own] of [8, 5, 4, 3, 2, 1].flatMap((n) => [
        [n, false] as const,
        [n, true] as const,
      ])) {
        const recipe = { ...size, sampling, mode: 'baseline' } as const;
        const { held, said } = heldAndSaid(recipe, eighths as JpegEighths, false, true, own);
        const most = shared * tableBytes + (shared / 2) * 4096;
        expect(said, `${name}, ${eighths}/8, low frequencies`).toBeGreaterThanOrEqual(held);
        expect(said - held, `${name}, ${eighths}/8, low frequencies`).toBeLessThanOrEqual(most);
      }
    }
  });

  it.each(['lone scans', 'progressive'] as const)('are enough for %s', (mode) => {
    for (const [name, sampling] of layouts) {
      for (const eighths of [8, 3, 1] as const) {
        const { held, said } = heldAndSaid({ ...size, sampling, mode }, eighths, true);
        expect(said, `${name}, ${eighths}/8`).toBeGreaterThanOrEqual(held);
      }
    }
  });

  it('grow with scans up to the most that are read', () => {
    const bytes = (scans: number) =>
      jpegDecodeBytes({ ...size, sampling: grey, singleScan: false, scans, eighths: 8, checkpoints: true });
    expect(bytes(MAX_SCANS)).toBeGreaterThan(bytes(MAX_SCANS - 1));
    expect(bytes(MAX_SCANS + 1)).toBe(bytes(MAX_SCANS));
  });

  it('leave the core as it was', () => {
    using core = createCore();
    const before = core.exports.mark();
    expect(
      core.exports.jpegDecodeBytes(65_535, 65_535, 0x44444444, 0, 300, 8, 0, 0, 1) >>> 0,
    ).toBeGreaterThan(0);
    expect(core.exports.mark()).toBe(before);
  });
});
