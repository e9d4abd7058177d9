import { describe, expect, it } from 'vitest';
import { WrittenFile } from '../../../src/codecs/png/written_file.ts';
import { OutputBuffer } from '../../../src/memory/output_buffer.ts';
import { chunksOf } from '../../fixtures/png_samples.ts';
import { noisePicture, rasterOf } from '../../fixtures/raster.ts';

const types = (bytes: Uint8Array) => chunksOf(bytes).map(({ type }) => type);

describe('WrittenFile', () => {
  const source = rasterOf(noisePicture(3, 2, 1));

  it('has no palette where pixels are no indices', () => {
    const output = new OutputBuffer('PNG', 10_000);
    const file = new WrittenFile(output, source, 3, 8);
    file.data(new Uint8Array([1, 2, 3]));
    file.finish();
    expect(types(output.bytes)).toEqual(['IHDR', 'IDAT', 'IEND']);
  });

  it.each([
    [new Uint8Array([9, 8, 7, 255, 6, 5, 4, 255]), ['IHDR', 'PLTE', 'IDAT', 'IEND']],
    [new Uint8Array([9, 8, 7, 0, 6, 5, 4, 255]), ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']],
    [new Uint8Array(1024).fill(3), ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']],
  ])('puts a palette where its place was kept, whatever its size', (palette, expected) => {
    const output = new OutputBuffer('PNG', 10_000);
    const file = new WrittenFile(output, source, 'indexed', 4);
    file.data(new Uint8Array([1, 2, 3]));
    file.finish({ palette, grey: false });
    const bytes = output.bytes;
    expect(types(bytes)).toEqual(expected);
    const chunks = chunksOf(bytes);
    expect(chunks[1]!.data.length).toBe((palette.length / 4) * 3);
    expect([...chunks.at(-2)!.data]).toEqual([1, 2, 3]);
    expect([bytes[24], bytes[25]]).toEqual([4, 3]);
  });

  it('has grey samples and no palette where indices turn out to be levels', () => {
    const output = new OutputBuffer('PNG', 10_000);
    const file = new WrittenFile(output, source, 'indexed', 2);
    file.data(new Uint8Array([1, 2, 3]));
    file.finish({ palette: new Uint8Array(16), grey: true });
    expect(types(output.bytes)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect([output.bytes[24], output.bytes[25]]).toEqual([2, 0]);
  });
});
