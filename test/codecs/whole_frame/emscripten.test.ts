import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';

describe('an emscripten codec', () => {
  it('leaves no location behind that other libraries would take for a page', async () => {
    const before = 'location' in globalThis;
    const file = await sampleFile('avif', photoPicture(8, 8));
    using _raster = await avifDecoder.open(file, scan(file)!, {});
    expect('location' in globalThis).toBe(before);
    expect(before).toBe(false);
  });
});
