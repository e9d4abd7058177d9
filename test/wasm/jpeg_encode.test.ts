import { describe, expect, it } from 'vitest';
import { openJpeg } from '../../src/codecs/jpeg.ts';
import { createCore } from '../../wasm/core.ts';
import { JpegEncodeStatus, JpegLayout, JpegWriter, TOKEN_BUDGET } from '../../wasm/jpeg_encode.ts';
import { noisePicture, type Picture, photoPicture, readPicture, seededRandom } from '../fixtures/raster.ts';

const ROOM = 1 << 28;

interface Choices {
  readonly layout?: JpegLayout;
  readonly quality?: number;
  readonly tokenBudget?: number;
  readonly room?: number;
}

function openWriter(core = createCore(), size: { width: number; height: number }, choices: Choices = {}) {
  const { layout = JpegLayout.full, quality = 92, tokenBudget = TOKEN_BUDGET, room = ROOM } = choices;
  return new JpegWriter(core, {
    width: size.width,
    height: size.height,
    layout,
    quality,
    sharpLimit: -1,
    tokenBudget,
    room,
  });
}

function written(picture: Picture, choices: Choices = {}) {
  const core = createCore();
  const writer = openWriter(core, picture, choices);
  expect(writer.push(picture.pixels, picture.height, false)).toBe(JpegEncodeStatus.ok);
  expect(writer.finish()).toBe(JpegEncodeStatus.ok);
  return { bytes: writer.output(), held: core.heldBytes };
}

function pixelsOf(bytes: Uint8Array): Uint8Array {
  using raster = openJpeg(bytes);
  return readPicture(raster).pixels;
}

describe('Huffman tables from a part of the image', () => {
  it('hold a code for whatever comes later', () => {
    // The first rows are even; all the noise comes after the tables are made.
    const { width, height, pixels } = noisePicture(200, 160, 2);
    pixels.fill(128, 0, width * 4 * 24);
    for (const layout of [JpegLayout.grey, JpegLayout.full, JpegLayout.halved]) {
      const picture = { width, height, pixels };
      const whole = written(picture, { layout, quality: 100 }).bytes;
      const early = written(picture, { layout, quality: 100, tokenBudget: 1 }).bytes;
      expect(early).not.toEqual(whole);
      expect(pixelsOf(early)).toEqual(pixelsOf(whole));
    }
  });

  it('cost little when they saw half', () => {
    const picture = photoPicture(600, 400, 4);
    const whole = written(picture).bytes;
    const half = written(picture, { tokenBudget: whole.length / 2 }).bytes;
    expect(half.length).not.toBe(whole.length);
    expect(half.length / whole.length).toBeLessThan(1.02);
    expect(pixelsOf(half)).toEqual(pixelsOf(whole));
  });
});

/** Whether two files hold the same picture. */
function samePixels(a: Uint8Array, b: Uint8Array): boolean {
  using first = openJpeg(a);
  using second = openJpeg(b);
  const others = second.strips()[Symbol.iterator]();
  for (const { pixels } of first.strips()) {
    const other = others.next().value!.pixels;
    if (pixels.length !== other.length || pixels.some((sample, i) => sample !== other[i])) return false;
  }
  return others.next().done === true;
}

describe('output written over its tokens', () => {
  it('moves the tokens out of its way', () => {
    // Blocks of large coefficients, then very many of small ones: what came first is rare in the end, so its codes are longer
    // than its tokens and the output overtakes them.
    const [width, height, rareRows] = [1440, 5600, 96];
    const random = seededRandom(12);
    const rare = new Uint8Array(rareRows * width * 4);
    for (let i = 0; i < rare.length; i += 4) rare.fill(128 + Math.floor((random() - 0.5) * 50), i, i + 3);
    const common = new Uint8Array(8 * width * 4).fill(128);
    for (let x = 0; x < width; x += 8) common.fill(134, x * 4, x * 4 + 3);

    const file = (tokenBudget: number) => {
      const writer = openWriter(
        createCore(),
        { width, height },
        { layout: JpegLayout.grey, quality: 100, tokenBudget },
      );
      writer.push(rare, rareRows, false);
      for (let y = rareRows; y < height; y += 8) writer.push(common, 8, false);
      expect(writer.finish()).toBe(JpegEncodeStatus.ok);
      return writer.output();
    };
    expect(samePixels(file(TOKEN_BUDGET), file(1))).toBe(true);
  });

  it('holds 50 megapixels in little more than their output', () => {
    const [width, height] = [8160, 6120];
    const { pixels } = noisePicture(width, 8, 5);
    for (let i = 0; i < pixels.length; i++) if ((i & 3) !== 3) pixels[i] = 100 + (pixels[i]! >> 4);
    const core = createCore();
    const writer = openWriter(core, { width, height });
    for (let y = 0; y < height; y += 8) expect(writer.push(pixels, 8, false)).toBe(JpegEncodeStatus.ok);
    expect(writer.finish()).toBe(JpegEncodeStatus.ok);
    const output = writer.output().length;
    expect(output).toBeGreaterThan(TOKEN_BUDGET);
    expect(core.heldBytes).toBeLessThan(output + 1_000_000);
  });
});

describe('what stops an encoder', () => {
  it('is told as soon as the output outgrows its room', () => {
    const picture = noisePicture(400, 400, 6);
    const length = written(picture).bytes.length;
    for (const tokenBudget of [1, TOKEN_BUDGET]) {
      const size = written(picture, { tokenBudget }).bytes.length;
      const writer = openWriter(createCore(), picture, { tokenBudget, room: size - 1 });
      const status = writer.push(picture.pixels, picture.height, false) || writer.finish();
      expect(status).toBe(JpegEncodeStatus.noRoom);
      expect(written(picture, { tokenBudget, room: size }).bytes).toHaveLength(size);
    }
    const early = openWriter(createCore(), picture, { tokenBudget: 1, room: length / 4 });
    expect(early.push(picture.pixels, picture.height / 2, false)).toBe(JpegEncodeStatus.noRoom);
  });

  it('is told when something else was put above its output', () => {
    const picture = noisePicture(400, 400, 6);
    const core = createCore();
    const writer = openWriter(core, picture);
    core.alloc(16);
    expect(writer.push(picture.pixels, picture.height, false)).toBe(JpegEncodeStatus.noMemory);
  });

  it('is an exception when even its rows do not fit', () => {
    const core = createCore();
    expect(() => {
      for (;;) openWriter(core, { width: 65_535, height: 65_535 });
    }).toThrow(RangeError);
  });
});
