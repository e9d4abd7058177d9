import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { JpegFile, jpegDecodeBytes, MAX_SCANS } from '../../src/core/jpeg_decode.ts';
import { Fault } from '../../src/faults.ts';
import { readWhole } from '../cases/decoder_cases.ts';
import { type RandomJpeg, randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { finished, jpegFileIn, openJpeg, withoutWork } from '../fixtures/open_jpeg.ts';

const grey = [[1, 1]] as const;

describe('planes of a JPEG', () => {
  it('are its samples before upsampling and conversion', () => {
    const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));
    const core = createCore();
    const file = jpegFileIn(core, bytes);
    const { width } = file.reserve(1);
    using raster = openJpeg(bytes);
    const whole = readWhole(raster);
    let y = 0;
    for (const [plane] of withoutWork(file.planes())) {
      for (let row = 0; row < 8 * plane!.vertical; row++, y++) {
        const samples = core.view(plane!.at + row * plane!.stride, width);
        expect([...samples]).toEqual(Array.from({ length: width }, (_, x) => whole[(y * width + x) * 4]));
      }
    }
    expect(y).toBe(40);
    expect(file.colour).toBe('grey');
  });
});

describe('a JPEG file in a core', () => {
  const bytes = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: grey, mode: 'baseline', seed: 9 }));

  it('tells what it is', () => {
    const file = jpegFileIn(createCore(), bytes);
    expect(file).toMatchObject({ width: 40, height: 40, components: 1, colour: 'grey' });
    expect(file.reserve(8)).toEqual({ width: 5, height: 5 });
  });

  it('is dropped after a fault', () => {
    const file = jpegFileIn(createCore(), bytes.slice(0, -20));
    file.reserve(1);
    expect(() => [...file.rows(0, 40)]).toThrow(Fault);
    expect(() => [...file.rows(0, 40)]).toThrow(/dropped/);
  });

  it('takes a trap of the core for a fault of the file', () => {
    const core = createCore();
    const trapping = (name: string) => ({
      ...core,
      exports: {
        ...core.exports,
        [name]: () => {
          throw new WebAssembly.RuntimeError('unreachable');
        },
      },
    });
    expect(() => jpegFileIn(trapping('jpegDecodeOpen'), bytes)).toThrow(Fault);
    const file = jpegFileIn(trapping('jpegDecodeNext'), bytes);
    file.reserve(1);
    expect(() => [...file.rows(0, 40)]).toThrow(Fault);
    expect(() => [...file.rows(0, 40)]).toThrow(/dropped/);
  });

  it('finds no memory where there is none: a limit', () => {
    const core = createCore();
    const file = jpegFileIn({ ...core, exports: { ...core.exports, jpegDecodeReserve: () => 0 } }, bytes);
    expect(() => file.reserve(1)).toThrow(expect.objectContaining({ kind: 'limit' }));
  });
});

describe('the bytes that a JPEG decoder is said to hold', () => {
  const size = { width: 700, height: 90 };

  /** Bytes that the file takes in a core once it is reserved, and those it was said to. */
  function heldAndSaid(recipe: RandomJpeg, scale: 1 | 2 | 4 | 8, checkpoints: boolean) {
    const jpeg = randomJpeg(recipe);
    using core = createCore();
    const bytes = writeJpeg(jpeg);
    const at = core.alloc(bytes.length);
    core.view(at, bytes.length).set(bytes);
    const start = core.exports.mark();
    finished(JpegFile.opening(core, at, bytes.length)).reserve(scale, checkpoints);
    const { width, height, sampling } = recipe;
    const scans = jpeg.scans.length;
    const singleScan = recipe.mode === 'baseline' && scans === 1;
    const said = jpegDecodeBytes({ width, height, sampling, singleScan, scans, scale, checkpoints });
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

  it('are exact for one scan, but for Huffman tables that components share', () => {
    const tableBytes = (() => {
      const { held, said } = heldAndSaid({ ...size, sampling: layouts[1]![1], mode: 'baseline' }, 1, false);
      return (said - held) / 2;
    })();
    expect(tableBytes).toBeGreaterThan(4096);
    for (const [name, sampling, shared] of layouts) {
      for (const scale of [1, 2, 4, 8] as const) {
        for (const checkpoints of [false, true]) {
          const { held, said } = heldAndSaid({ ...size, sampling, mode: 'baseline' }, scale, checkpoints);
          expect(said - held, `${name}, 1/${scale}, checkpoints: ${checkpoints}`).toBe(shared * tableBytes);
        }
      }
    }
  });

  it.each(['lone scans', 'progressive'] as const)('are enough for %s', (mode) => {
    for (const [name, sampling] of layouts) {
      for (const scale of [1, 8] as const) {
        const { held, said } = heldAndSaid({ ...size, sampling, mode }, scale, true);
        expect(said, `${name}, 1/${scale}`).toBeGreaterThanOrEqual(held);
      }
    }
  });

  it('grow with scans up to the most that are read', () => {
    const bytes = (scans: number) =>
      jpegDecodeBytes({ ...size, sampling: grey, singleScan: false, scans, scale: 1, checkpoints: true });
    expect(bytes(MAX_SCANS)).toBeGreaterThan(bytes(MAX_SCANS - 1));
    expect(bytes(MAX_SCANS + 1)).toBe(bytes(MAX_SCANS));
  });

  it('leave the core as it was', () => {
    using core = createCore();
    const before = core.exports.mark();
    expect(core.exports.jpegDecodeBytes(65_535, 65_535, 0x44444444, 0, 300, 1, 1) >>> 0).toBeGreaterThan(0);
    expect(core.exports.mark()).toBe(before);
  });
});
