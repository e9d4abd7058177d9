import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { Fault } from '../../../src/faults.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { uninterrupted } from '../../../src/scheduling/time_slice.ts';
import { MAX_ROW_PIXELS } from '../../../src/scheduling/work.ts';
import { attempt, decoderCases, decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { heldBytesOf } from '../../fixtures/held_bytes.ts';
import { brokenChunk, chunksOf, kindRecipes, pngSample, recipeName } from '../../fixtures/png_samples.ts';
import { imageHeader, joined, type PngRecipe, pngChunk, writePng } from '../../fixtures/png_writer.ts';
import { stripsOf } from '../../fixtures/raster.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const NOTHING = new Uint8Array(0);

decoderCases({
  decoder: pngDecoder,
  cuts: 24,
  samples: [
    ...kindRecipes({ width: 23, height: 29 }).filter((_, i) => i % 3 === 0),
    { width: 400, height: 300, level: 1 },
    { width: 400, height: 200, level: 1, colourType: 6, interlaced: true } as const,
  ].map((recipe) => pngSample(recipe)),
});

async function read(bytes: Uint8Array): Promise<Uint8Array> {
  return (await decodeWhole(pngDecoder, { bytes, facts: scan(bytes)! })).pixels;
}

/** The fault's message, or 'read'. */
async function verdict(bytes: Uint8Array, complete = scan(bytes)?.complete ?? false): Promise<string> {
  const facts = { ...scan(writePng({ width: 4, height: 4 }))!, complete };
  const outcome = await attempt(pngDecoder, { bytes, facts });
  if (!(outcome instanceof Error)) return 'read';
  if (!(outcome instanceof Fault)) throw outcome;
  return `${outcome.kind}: ${outcome.message}`;
}

/** A sound 4 × 4 file's chunks, to be put together otherwise. */
function parts(recipe: PngRecipe = { width: 4, height: 4 }) {
  const chunks = chunksOf(writePng(recipe));
  const of = (type: string) => chunks.find((chunk) => chunk.type === type)!;
  return { header: of('IHDR').chunk, data: of('IDAT'), end: of('IEND').chunk };
}

describe('PNG decoder: memory', () => {
  it('predicts what it holds, and no more than a quarter above', async () => {
    for (const width of [1, 100, 3000, 40_000]) {
      for (const kind of kindRecipes({ width, height: 2 })) {
        const sample = pngSample({ ...kind, samples: { length: 0, ...zeros } });
        const cost = totalBytes(pngDecoder.cost(sample.facts, {}));
        using raster = await pngDecoder.open(sample.bytes, sample.facts, {});
        for (const strip of stripsOf(raster)) {
          expect(cost, recipeName(kind)).toBeGreaterThanOrEqual(heldBytesOf(raster, strip));
          expect(cost, recipeName(kind)).toBeLessThanOrEqual(heldBytesOf(raster, strip) * 1.25);
        }
      }
    }
  });

  it('holds no more at a second read, nor for a taller image', async () => {
    const held: number[] = [];
    for (const height of [700, 1400]) {
      const { bytes, facts } = pngSample({ width: 300, height, colourType: 0, interlaced: true, level: 1 });
      using raster = await pngDecoder.open(bytes, facts, {});
      for (let read = 0; read < 3; read++) {
        for (const strip of stripsOf(raster)) held.push(heldBytesOf(raster, strip));
      }
    }
    expect(new Set(held).size).toBe(1);
  });

  it('refuses rows that are so long that one of them would hold the thread, before taking any memory', async () => {
    for (const width of [MAX_ROW_PIXELS + 1, 0x7fff_ffff]) {
      const bytes = joined([SIGNATURE, imageHeader({ width, height: 1 }), parts().data.chunk]);
      expect(await verdict(bytes)).toBe(
        `limit: Expected rows of at most ${MAX_ROW_PIXELS} pixels but the PNG's have ${width}`,
      );
    }
    expect(await verdict(writePng({ width: MAX_ROW_PIXELS, height: 1 }))).toBe('read');
  });
});

/** Any sample asked for is 0. */
const zeros = new Proxy({}, { get: () => 0 }) as Record<number, number>;

describe('PNG decoder: structure', () => {
  it('reads image data however it is cut into chunks, empty ones too', async () => {
    const whole = await read(writePng({ width: 40, height: 30 }));
    for (const idat of [[1], [0, 7], [1000, 0, 0], [3, 5, 1]]) {
      expect(firstDifference(await read(writePng({ width: 40, height: 30, idat })), whole)).toBe('none');
    }
  });

  it('passes by ancillary chunks, whole or broken, and bytes after IEND', async () => {
    const text = new TextEncoder().encode('Comment\0hello');
    const plain = await read(writePng({ width: 9, height: 9 }));
    const dressed = writePng({
      width: 9,
      height: 9,
      early: [pngChunk('gAMA', new Uint8Array(4)), brokenChunk('tEXt', text)],
      middle: [pngChunk('tEXt', text)],
      late: [brokenChunk('tIME', new Uint8Array(7)), pngChunk('IDAT', Uint8Array.of(1, 2, 3))],
      trailer: new Uint8Array(500).fill(9),
    });
    expect(firstDifference(await read(dressed), plain)).toBe('none');
  });

  it('tolerates more image data than rows', async () => {
    const plain = await read(writePng({ width: 9, height: 9 }));
    for (const excess of [1, 100_000]) {
      expect(firstDifference(await read(writePng({ width: 9, height: 9, excess })), plain)).toBe('none');
    }
  });

  it('ignores a tRNS that is broken or of the wrong size', async () => {
    const middle = [brokenChunk('tRNS', new Uint8Array(6))];
    const bytes = writePng({ width: 3, height: 3, samples: new Array(27).fill(0), middle });
    expect((await read(bytes))[3]).toBe(255);
    const samples = new Array(9).fill(0);
    const odd = writePng({ width: 3, height: 3, colourType: 0, samples, transparency: Uint8Array.of(0) });
    expect((await read(odd))[3]).toBe(255);
  });

  it('ignores a tRNS before its palette, or with more entries than that', async () => {
    const palette = Uint8Array.of(10, 20, 30, 40, 50, 60);
    const clear = new Uint8Array(3);
    const indexed = { width: 2, height: 1, colourType: 3, depth: 2, samples: [0, 1], palette } as const;
    const shown = async (recipe: Partial<PngRecipe>) => {
      const pixels = await read(writePng({ ...indexed, ...recipe }));
      return [pixels[3], pixels[7]];
    };
    expect(await shown({ transparency: clear.subarray(1) })).toEqual([0, 0]);
    expect(await shown({ transparency: clear })).toEqual([255, 255]);
    expect(await shown({ early: [pngChunk('tRNS', clear.subarray(1))] })).toEqual([255, 255]);
  });

  it('shows an index beyond the palette as opaque black', async () => {
    const samples = [0, 1, 2, 3];
    const palette = Uint8Array.of(10, 20, 30, 40, 50, 60);
    const bytes = writePng({ width: 4, height: 1, colourType: 3, depth: 2, samples, palette });
    expect([...(await read(bytes))]).toEqual([10, 20, 30, 255, 40, 50, 60, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
  });

  it('states opaque and grey where the header allows', async () => {
    const promised = async (recipe: Omit<PngRecipe, 'width' | 'height'>) => {
      const { bytes, facts } = pngSample({ width: 4, height: 4, ...recipe });
      using raster = await pngDecoder.open(bytes, facts, {});
      return [raster.opaque, raster.grey];
    };
    expect(await promised({ colourType: 0 })).toEqual([true, true]);
    expect(await promised({ colourType: 0, transparency: 'present' })).toEqual([false, true]);
    expect(await promised({ colourType: 2 })).toEqual([true, false]);
    expect(await promised({ colourType: 4 })).toEqual([false, true]);
    expect(await promised({ colourType: 6 })).toEqual([false, false]);
    const palette = Uint8Array.of(9, 9, 9, 0, 0, 0);
    expect(await promised({ colourType: 3, depth: 1, palette })).toEqual([true, true]);
    const transparency = Uint8Array.of(255, 254);
    expect(await promised({ colourType: 3, depth: 1, palette, transparency })).toEqual([false, true]);
  });

  it('passes over empty IDAT chunks, and refuses more chunks than one row may need', async () => {
    const { header, data, end } = parts();
    const half = data.data.length >> 1;
    const pieces = [data.data.subarray(0, half), data.data.subarray(half)].map((at) => pngChunk('IDAT', at));
    const png = (empty: number) => {
      const between = Array<Uint8Array>(empty).fill(pngChunk('IDAT', NOTHING));
      return verdict(joined([SIGNATURE, header, pieces[0]!, ...between, pieces[1]!, end]));
    };
    expect(await png(65_534)).toBe('read');
    expect(await png(65_535)).toMatch(/more than 65536 IDAT chunks/);
  });

  it('gives way while it passes over chunks before the image data and behind it', async () => {
    const { header, data, end } = parts();
    const image = pngChunk('IDAT', data.data);
    const others = Array<Uint8Array>(9000).fill(pngChunk('prVt', NOTHING));
    const shares = async (...chunks: Uint8Array[]) => {
      const png = joined([SIGNATURE, header, ...chunks, end]);
      const opening: number[] = [];
      const slice = {
        ...uninterrupted,
        spend: (work: number) => {
          opening.push(work);
          return undefined;
        },
      };
      using raster = await pngDecoder.open(png, scan(png)!, {}, slice);
      const reading = [...raster.strips()].filter((part): part is number => typeof part === 'number');
      return { opening: opening.length, reading: reading.length };
    };
    const plain = await shares(image);
    expect(plain.opening).toBe(0);
    expect((await shares(...others, image)).opening).toBeGreaterThanOrEqual(2);
    expect((await shares(image, ...others)).reading).toBeGreaterThanOrEqual(plain.reading + 2);
    const excess = Array<Uint8Array>(9000).fill(pngChunk('IDAT', Uint8Array.of(7)));
    expect((await shares(image, ...excess)).reading).toBeGreaterThanOrEqual(plain.reading + 5);
  });

  it('counts IDAT chunks as work: each may hold a single byte', async () => {
    const recipe = { width: 64, height: 64 };
    for (const interlaced of [false, true]) {
      const { header, data, end } = parts({ ...recipe, interlaced });
      const single = Array.from(data.data, (_, at) => pngChunk('IDAT', data.data.subarray(at, at + 1)));
      const workOf = async (chunks: Uint8Array[]) => {
        const png = joined([SIGNATURE, header, ...chunks, end]);
        using raster = await pngDecoder.open(png, scan(png)!, {});
        return [...raster.strips()].reduce<number>(
          (sum, one) => sum + (typeof one === 'number' ? one : 0),
          0,
        );
      };
      const more = (await workOf(single)) - (await workOf([data.chunk]));
      expect(more).toBeGreaterThan(data.data.length * 7);
    }
  });

  it('refuses what contradicts the standard, and says why', async () => {
    const { header, data, end } = parts();
    const png = (...chunks: Uint8Array[]) => verdict(joined([SIGNATURE, ...chunks]));
    const half = data.data.length >> 1;
    const broken = brokenChunk('IDAT', data.data);
    expect(await png(header, data.chunk, end)).toBe('read');
    expect(await png(data.chunk, header, end)).toMatch(/does not start with an IHDR/);
    expect(await png(header, header, data.chunk, end)).toMatch(/IHDR chunk before its image data/);
    expect(await png(header, end)).toMatch(/IEND chunk before its image data/);
    expect(await png(header, pngChunk('NEWS', NOTHING), data.chunk, end)).toMatch(/critical chunk .*NEWS/);
    expect(await png(header, broken, end)).toMatch(/decoding: .*row 4 of 4.*CRC/);
    expect(await png(header, data.chunk, brokenChunk('IEND', NOTHING))).toMatch(/IEND chunk is damaged/);
    expect(await png(header, data.chunk)).toMatch(/row 4 of 4, without an IEND/);
    expect(await png(header, pngChunk('IDAT', data.data.subarray(0, half)), end)).toMatch(/row \d of 4/);
    expect(await png(header, pngChunk('CgBI', NOTHING), data.chunk, end)).toMatch(/critical chunk/);
    expect(await png(pngChunk('CgBI', NOTHING), header, data.chunk, end)).toMatch(/^unsupported: .*Apple/);
    expect(
      await png(brokenChunk('IHDR', chunksOf(joined([SIGNATURE, header]))[0]!.data), data.chunk, end),
    ).toMatch(/IHDR chunk is damaged/);
    expect(await png(imageHeader({ width: 0, height: 4 }), data.chunk, end)).toMatch(/0 × 4 pixels/);
    expect(await png(imageHeader({ width: 4, height: 4, colourType: 2, depth: 4 }), data.chunk, end)).toMatch(
      /colour type 2 with 4 bits/,
    );
    expect(await png(imageHeader({ width: 4, height: 4, colourType: 3 }), data.chunk, end)).toMatch(
      /no PLTE/,
    );
    const palette = pngChunk('PLTE', Uint8Array.of(1, 2, 3));
    expect(await png(header, palette, palette, data.chunk, end)).toMatch(/more than one PLTE/);
    expect(await verdict(Uint8Array.of(1, 2, 3))).toMatch(/not a PNG/);
  });

  it('makes no CRC of image data once more where a scan has found the file complete', async () => {
    const { header, data, end } = parts();
    const bytes = joined([SIGNATURE, header, brokenChunk('IDAT', data.data), end]);
    expect(scan(bytes)!.complete).toBe(false);
    expect(await verdict(bytes)).toMatch(/CRC/);
    expect(await verdict(bytes, true)).toBe('read');
  });

  it('names the row whose filter does not exist', async () => {
    const { header, end } = parts();
    const stored = new Uint8Array(4 * 13);
    stored[26] = 5;
    const packed = pngChunk('IDAT', await zlibStored(stored));
    expect(await verdict(joined([SIGNATURE, header, packed, end]))).toMatch(/row 2 of 4: .*filter type is 5/);
  });

  it('refuses a file cut at any byte', async () => {
    for (const recipe of [
      { width: 6, height: 5 },
      { width: 6, height: 9, colourType: 3, depth: 4, interlaced: true, transparency: 'present' },
    ] as const) {
      const bytes = writePng(recipe);
      for (let length = 0; length < bytes.length; length++) {
        expect(await verdict(bytes.slice(0, length)), `cut to ${length}`).toMatch(/^decoding: /);
      }
    }
  });
});

async function zlibStored(bytes: Uint8Array): Promise<Uint8Array> {
  const { deflateSync } = await import('node:zlib');
  return deflateSync(bytes, { level: 0 });
}
