import { describe, expect, it } from 'vitest';
import { inCore } from '../../src/codecs/in_core.ts';
import { openJpeg } from '../../src/codecs/jpeg/decoder.ts';
import type { DecodedRaster, Raster } from '../../src/codecs/types.ts';
import { narrowColumns } from '../../src/pixels/columns.ts';
import { narrowRows } from '../../src/pixels/rows.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';

/** A raster as a class, the way TIFF and GIF are read: its methods need it. */
class Held implements DecodedRaster {
  readonly #source: Raster;
  readonly width: number;
  readonly height: number;
  readonly opaque = false;
  readonly grey = false;
  disposed = false;

  constructor(source: Raster) {
    this.#source = source;
    this.width = source.width;
    this.height = source.height;
  }
  strips() {
    return this.#source.strips();
  }
  columns(x: number, count: number) {
    return narrowColumns(this.#source, x, count);
  }
  rows(y: number, count: number) {
    return narrowRows(this.#source, y, count);
  }
  *strips16() {
    const samples = new Uint16Array(this.width * this.height * 4).fill(this.width);
    yield { y: 0, rows: this.height, samples };
  }
  [Symbol.dispose]() {
    this.disposed = true;
  }
}

describe('a raster in a core', () => {
  const picture = noisePicture(40, 30, 3, 'any');

  it('is the same picture, whole and in parts, with a core to work in', () => {
    const held = new Held(rasterOf(picture, 7));
    using raster = inCore(held);
    expect(readPicture(raster)).toEqual(picture);
    const part = raster.rows!(3, 20);
    expect(readPicture(part)).toEqual(readPicture(narrowRows(rasterOf(picture), 3, 20)));
    const columns = raster.columns!(5, 11);
    expect(readPicture(columns)).toEqual(readPicture(narrowColumns(rasterOf(picture), 5, 11)));
    expect([...raster.strips16!()][0]!.samples[9]).toBe(40);
    expect(raster.core!.disposed).toBe(false);
    expect([part.core, columns.core]).toEqual([raster.core, raster.core]);
  });

  it('gives core and raster back together', () => {
    const held = new Held(rasterOf(picture));
    const raster = inCore(held);
    raster[Symbol.dispose]();
    expect([held.disposed, raster.core!.disposed]).toEqual([true, true]);
  });

  it('is left alone where it has one, with what only it can tell', async () => {
    using jpeg = openJpeg(await sampleFile('jpeg', noisePicture(16, 16, 1)));
    expect(inCore(jpeg)).toBe(jpeg);
  });
});
