import { describe, expect, it } from 'vitest';
import { offerSamples, samplesOf } from '../../src/codecs/jpeg/planes.ts';
import { derive } from '../../src/pixels/derive.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('a derived raster', () => {
  const picture = noisePicture(6, 5, 1, 'any');

  it('has the size, core and traits of its source, and its own rows', () => {
    const source = rasterOf(picture);
    const other = noisePicture(6, 5, 2);
    const derived = derive(source, { strips: () => rasterOf(other).strips() });
    const { width, height, opaque, grey, core } = source;
    expect(derived).toMatchObject({ width, height, opaque, grey });
    expect(derived.core).toBe(core);
    expect(readPicture(derived)).toEqual(other);
  });

  it('overrides what the changes name', () => {
    const strips = () => [];
    expect(derive(rasterOf(picture), { width: 3, grey: true, strips })).toMatchObject({
      width: 3,
      grey: true,
    });
  });

  it('does not pass on columns, rows or stored samples of its source', () => {
    const source = {
      ...rasterOf(picture),
      columns: () => rasterOf(picture),
      rows: () => rasterOf(picture),
      strips16: () => [],
      cmyk: rasterOf(picture),
    };
    offerSamples(source, { sampling: 'grey', bands: () => [] });
    const derived = derive(source, { strips: () => source.strips() });
    expect(samplesOf(source)).toBeDefined();
    expect(samplesOf(derived)).toBeUndefined();
    for (const way of ['columns', 'rows', 'strips16', 'cmyk']) expect(way in derived).toBe(false);
  });
});
