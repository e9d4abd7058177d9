import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { pngEncoder } from '../../../src/codecs/png/encoder.ts';
import { blockBytes, blockRows } from '../../../src/codecs/png/row_block.ts';
import type { Raster } from '../../../src/codecs/types.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole, firstDifference } from '../../cases/decoder_cases.ts';
import { encoderCases } from '../../cases/encoder_cases.ts';
import { chunksOf } from '../../fixtures/png_samples.ts';
import { joined } from '../../fixtures/png_writer.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, stripsOf } from '../../fixtures/raster.ts';

const ROOM = 1 << 26;

const decode = async (bytes: Uint8Array): Promise<Picture> =>
  decodeWhole(pngDecoder, { bytes, facts: scan(bytes)! });

const encode = async (raster: Raster) => (await pngEncoder.encode(raster, 90, ROOM)).bytes;

/** Lines of few colours, some of them repeated: what text and drawings are to the encoder. */
function drawing(width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ink = (x * 7 + ((y / 9) | 0) * 31) % 23 < 5 && y % 9 < 6;
      if (ink) pixels.fill((x * y) % 3 === 0 ? 20 : 90, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { width, height, pixels };
}

/** One above the other. */
function stacked(...pictures: Picture[]): Picture {
  const { width } = pictures[0]!;
  const height = pictures.reduce((sum, picture) => sum + picture.height, 0);
  const pixels = new Uint8Array(width * height * 4);
  let at = 0;
  for (const picture of pictures) {
    pixels.set(picture.pixels, at);
    at += picture.pixels.length;
  }
  return { width, height, pixels };
}

/** So many colours, each in some even stretches. */
function ofColours(width: number, height: number, colours: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0, i = 0; at < width * height; at++) {
    if (at % 13 === 0) i++;
    const colour = (i * 7) % colours;
    pixels.set([colour % 256, (colour * 5) % 251, colour >> 8], at * 4);
  }
  return { width, height, pixels };
}

/** Each pixel by its number. */
function ofPixels(width: number, height: number, colour: (i: number) => readonly number[]): Picture {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) pixels.set(colour(i), i * 4);
  return { width, height, pixels };
}

const grey = (level: number) => [level, level, level, 255];

/** A picture that knows how often it was read. */
function countedReads(picture: Picture): Raster & { reads: number } {
  const { strips, ...image } = rasterOf(picture);
  return {
    ...image,
    reads: 0,
    strips() {
      this.reads++;
      return strips();
    },
  };
}

function greyed(picture: Picture): Picture {
  const pixels = picture.pixels.slice();
  for (let at = 0; at < pixels.length; at += 4) pixels.fill(pixels[at]!, at, at + 3);
  return { ...picture, pixels };
}

describe('PNG encoder', () => {
  encoderCases({ encoder: pngEncoder, decode, meanError: 0, keepsAlpha: true });

  it('writes no chunk but IHDR, IDAT and IEND for more than 256 colours', async () => {
    const types = chunksOf(await encode(rasterOf(noisePicture(400, 300, 1)))).map(({ type }) => type);
    expect(types[0]).toBe('IHDR');
    expect(types.at(-1)).toBe('IEND');
    expect(new Set(types.slice(1, -1))).toEqual(new Set(['IDAT']));
  });

  it('stores grey, grey and alpha, RGB or RGBA by the traits of the raster', async () => {
    const colourTypeOf = async (picture: Picture) => {
      const bytes = await encode(rasterOf(picture));
      expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
      return bytes.subarray(24, 26).join();
    };
    expect(await colourTypeOf(greyed(noisePicture(19, 23, 2)))).toBe('8,0');
    expect(await colourTypeOf(noisePicture(19, 23, 3))).toBe('8,2');
    expect(await colourTypeOf(greyed(noisePicture(19, 23, 4, 'any')))).toBe('8,4');
    expect(await colourTypeOf(noisePicture(19, 23, 5, 'any'))).toBe('8,6');
  });

  it('loses nothing at any size and content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(3),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (width, height, kind, grey, strip) => {
          const made = [
            noisePicture(width, height, 1),
            noisePicture(width, height, 2, 'any'),
            photoPicture(width, height),
            drawing(width, height),
          ][kind]!;
          const picture = grey ? greyed(made) : made;
          const read = await decode(await encode(rasterOf(picture, strip)));
          expect([read.width, read.height]).toEqual([width, height]);
          expect(firstDifference(read.pixels, picture.pixels)).toBe('none');
        },
      ),
      { numRuns: 120, seed: 8 },
    );
  });

  it('loses nothing where the content changes its nature, whatever the strip height', async () => {
    const picture = stacked(
      drawing(600, 400),
      photoPicture(600, 500),
      noisePicture(600, 300, 6),
      drawing(600, 900),
    );
    const whole = await encode(rasterOf(picture, picture.height));
    expect(firstDifference((await decode(whole)).pixels, picture.pixels)).toBe('none');
    for (const heights of [1, [64, 3, 200]]) {
      expect(firstDifference(await encode(rasterOf(picture, heights)), whole)).toBe('none');
    }
    // Each part by the method that suits it: not much larger than the parts alone (a change is noticed within
    // a few blocks).
    const alone = [drawing(600, 1300), photoPicture(600, 500), noisePicture(600, 300, 6)];
    const sizes = await Promise.all(alone.map(async (part) => (await encode(rasterOf(part))).length));
    expect(whole.length).toBeLessThan(sizes.reduce((sum, size) => sum + size, 0) * 1.2);
  });

  it('filters no rows of words because those in the midst of the first block are empty', async () => {
    const { pixels } = noisePicture(31, 17, 3);
    const words = ofPixels(400, 75, (i) => {
      const at = ((Math.floor(i / 400) % 17) * 31 + (i % 31)) * 4;
      return [...pixels.subarray(at, at + 3), 255];
    });
    const gap = ofPixels(400, 50, (i) => (i % 400 < 230 ? [240, 250, 240, 255] : [60, 130, 250, 255]));
    const picture = stacked(words, gap, words);
    const parts = chunksOf(await encode(rasterOf(picture))).filter(({ type }) => type === 'IDAT');
    const rows = inflateSync(joined(parts.map(({ data }) => data)));
    expect(rows.length).toBe(200 * 1201);
    for (let y = 0; y < 200; y++) expect(rows[y * 1201], `row ${y}`).toBe(0);
  });

  it('makes 256 colours or fewer indices into a palette of just these', async () => {
    for (const [colours, type] of [
      [2, 3],
      [255, 3],
      [256, 3],
      [257, 2],
    ] as const) {
      const picture = ofColours(90, 80, colours);
      const bytes = await encode(rasterOf(picture));
      expect([colours, bytes[25]]).toEqual([colours, type]);
      expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
      const plte = chunksOf(bytes).find((chunk) => chunk.type === 'PLTE');
      expect(plte?.data.length).toBe(type === 3 ? colours * 3 : undefined);
    }
  });

  it.each([
    ['2 colours', (i: number) => [i % 2, 7, 9, 255], 2, '1,3', 2],
    ['3 colours', (i: number) => [i % 3, 7, 9, 255], 3, '2,3', 3],
    ['16 colours', (i: number) => [i % 16, 7, 9, 255], 16, '4,3', 16],
    ['17 colours', (i: number) => [i % 17, 7, 9, 255], 17, '8,3', 17],
    ['a translucent colour', (i: number) => [9, 9, 9, i % 2 ? 255 : 3], 2, '1,3', 2],
    ['black and white', (i: number) => grey((i % 2) * 255), 2, '1,0', undefined],
    ['4 even greys', (i: number) => grey((i % 4) * 85), 4, '2,0', undefined],
    ['2 greys of 4 bits', (i: number) => grey((i % 2) * 17), 2, '1,3', 2],
    ['16 even greys', (i: number) => grey((i % 16) * 17), 16, '4,0', undefined],
    ['16 uneven greys', (i: number) => grey((i % 16) * 3), 16, '4,3', 16],
    ['17 greys', (i: number) => grey((i % 17) * 15), 17, '8,0', undefined],
  ] as const)('writes %s in the fewest bits', async (_, colour, colours, type, entries) => {
    const picture = ofPixels(210, 90, (i) => colour((i * 7919) >> 3));
    const promises = { opaque: false, grey: false };
    for (const raster of [rasterOf(picture), { ...rasterOf(picture), ...promises }]) {
      const bytes = await encode(raster);
      expect(bytes.subarray(24, 26).join()).toBe(type);
      expect(new Set(new Uint32Array(picture.pixels.buffer)).size).toBe(colours);
      const plte = chunksOf(bytes).find((chunk) => chunk.type === 'PLTE');
      expect(plte?.data.length).toBe(entries === undefined ? undefined : entries * 3);
      expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
    }
  });

  it.each([
    ['a third colour comes late', 2, 3, [2, '2,3']],
    ['a 200th colour comes late', 5, 200, [2, '8,3']],
    ['a 257th colour comes late', 5, 300, [2, '8,2']],
    ['there is room for what comes late', 9, 16, [1, '4,3']],
  ] as const)('counts the colours of all rows where %s', async (_, few, many, expected) => {
    const picture = stacked(ofColours(700, 600, few), ofColours(700, 200, many), ofColours(700, 300, few));
    const source = countedReads(picture);
    const whole = await encode(source);
    expect([source.reads, whole.subarray(24, 26).join()]).toEqual(expected);
    expect(firstDifference((await decode(whole)).pixels, picture.pixels)).toBe('none');
    for (const heights of [1, 1100])
      expect(firstDifference(await encode(rasterOf(picture, heights)), whole)).toBe('none');
  });

  it('has a palette where colours follow many rows of grey', async () => {
    const greys = ofPixels(700, 500, (i) => grey((i * 31) & 255));
    for (const [late, type] of [
      [ofPixels(700, 100, (i) => grey((i * 5) & 255)), '8,0'],
      [ofPixels(700, 100, () => [200, 0, 0, 255]), '8,2'],
    ] as const) {
      const bytes = await encode({ ...rasterOf(stacked(greys, late)), grey: false });
      expect(bytes.subarray(24, 26).join()).toBe(type);
    }
    const some = ofPixels(700, 500, (i) => grey((i % 100) * 2));
    const picture = stacked(
      some,
      ofPixels(700, 100, (i) => [i % 2 ? 200 : 0, 0, 0, 255]),
      some,
    );
    const bytes = await encode(rasterOf(picture));
    expect(bytes.subarray(24, 26).join()).toBe('8,3');
    expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
  });

  it('keeps translucent colours in a palette', async () => {
    const picture = ofColours(90, 80, 200);
    for (let at = 3; at < picture.pixels.length; at += 4) picture.pixels[at] = picture.pixels[at - 3]! & 0xc0;
    const bytes = await encode(rasterOf(picture));
    expect(bytes[25]).toBe(3);
    expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
  });

  it('gives small pictures no palette that is longer than what it saves', async () => {
    const bytes = await encode(rasterOf(noisePicture(8, 8, 1)));
    expect(bytes[25]).toBe(2);
    expect(bytes.length).toBeLessThan(330);
  });

  it.each([
    ['after some was written', 100],
    ['after first rows of many, which are then not written', 200],
  ])('starts anew without a palette when the 257th colour comes late, %s', async (_, colours) => {
    const few = ofColours(700, 1200, colours);
    const late = stacked(few, noisePicture(700, 3, 5));
    const source = countedReads(late);
    const whole = await encode(source);
    expect([source.reads, whole[25]]).toEqual([2, 2]);
    // What the first way had written took up no room of the second.
    expect((await pngEncoder.encode(rasterOf(late), 90, whole.length)).bytes.length).toBe(whole.length);
    expect(firstDifference((await decode(whole)).pixels, late.pixels)).toBe('none');
    for (const heights of [1, 1203])
      expect(firstDifference(await encode(rasterOf(late, heights)), whole)).toBe('none');
  });

  it('looks through the rest first where the first rows nearly fill a palette, not where they fill it', async () => {
    for (const [colours, reads] of [
      [180, 1],
      [200, 2],
      [256, 1],
    ] as const) {
      const picture = ofColours(700, 600, colours);
      const source = countedReads(picture);
      const bytes = await encode(source);
      expect([colours, bytes[25], source.reads]).toEqual([colours, 3, reads]);
      expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
    }
  });

  describe('writes no samples that its pixels do not need, whatever is promised', () => {
    const anyPixels = { opaque: false, grey: false };
    const opaque = photoPicture(700, 500);
    const translucent = noisePicture(700, 3, 2, 'any');
    // Few colours until much is written, then many, then alpha.
    const late = stacked(ofColours(700, 1200, 200), photoPicture(700, 400), translucent);

    it.each([
      ['opaque', opaque, 2, 1],
      ['grey with alpha', greyed(noisePicture(300, 300, 2, 'any')), 4, 1],
      ['alpha at once', stacked(translucent, opaque), 6, 1],
      ['alpha after much was written', stacked(photoPicture(700, 800), translucent), 6, 2],
      ['colour after much grey with alpha', stacked(greyed(noisePicture(700, 900, 3, 'any')), opaque), 6, 2],
      ['a 257th colour late and alpha later', late, 6, 3],
    ] as const)('%s', async (_, picture, type, reads) => {
      const source = Object.assign(countedReads(picture), anyPixels);
      const bytes = await encode(source);
      expect([bytes[25], source.reads]).toEqual([type, reads]);
      expect(firstDifference((await decode(bytes)).pixels, picture.pixels)).toBe('none');
      for (const heights of [1, picture.height])
        expect(firstDifference(await encode({ ...rasterOf(picture, heights), ...anyPixels }), bytes)).toBe(
          'none',
        );
    });
  });

  it('reads once when many colours come before anything was written', async () => {
    for (const picture of [photoPicture(700, 500), stacked(ofColours(700, 200, 9), photoPicture(700, 300))]) {
      const source = countedReads(picture);
      expect(firstDifference((await decode(await encode(source))).pixels, picture.pixels)).toBe('none');
      expect(source.reads).toBe(1);
    }
  });

  it('counts narrow and wide pictures by what their rows hold, as indices and as pixels', () => {
    for (const [width, height] of [
      [1, 262_144],
      [2, 300_000],
      [4, 100_000],
      [300_000, 10],
      [1_000_000, 50],
    ] as const) {
      const cost = totalBytes(pngEncoder.cost({ width, height }, 90, 0));
      expect(cost).toBeGreaterThan(blockBytes({ width, height }, 'indexed'));
      const waiting = Math.min(height, blockRows(width)) * width + width * 4;
      expect(cost).toBeGreaterThan(blockBytes({ width, height }, 4) + waiting);
    }
    expect(totalBytes(pngEncoder.cost({ width: 1, height: 262_144 }, 90, 0))).toBeLessThan(4_000_000);
  });

  it('holds no more than its cost whatever room the output fills', async () => {
    const picture = noisePicture(1200, 1000, 5);
    const [size, length] = [{ width: 1200, height: 1000 }, 3_700_000];
    const before = isolateMemoryPool.usedBytes;
    let most = 0;
    const source = rasterOf(picture);
    const watched = {
      ...source,
      *strips() {
        for (const strip of stripsOf(source)) {
          most = Math.max(most, isolateMemoryPool.usedBytes - before);
          yield strip;
        }
        most = Math.max(most, isolateMemoryPool.usedBytes - before);
      },
    };
    isolateMemoryPool.limit = 0;
    using output = await pngEncoder.encode(watched, 90, length);
    expect(output.bytes.length).toBeGreaterThan(3_600_000);
    expect(most).toBeLessThanOrEqual(totalBytes(pngEncoder.cost(size, 90, length)));
  });

  it('stops soon when the room is used up', async () => {
    const picture = noisePicture(500, 2000, 7);
    let pulled = 0;
    const counted: Raster = {
      ...rasterOf(picture),
      *strips() {
        for (const strip of stripsOf(rasterOf(picture))) {
          pulled += strip.rows;
          yield strip;
        }
      },
    };
    await expect(pngEncoder.encode(counted, 90, 200_000)).rejects.toMatchObject({ kind: 'limit' });
    expect(pulled).toBeLessThan(800);
  });
});
