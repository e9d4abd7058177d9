import { describe, expect, it } from 'vitest';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { photoPicture, rasterOf } from '../../fixtures/raster.ts';

describe('an emscripten codec', () => {
  it('leaves no location behind that other libraries would take for a page', async () => {
    const before = 'location' in globalThis;
    await webpEncoder.encode(rasterOf(photoPicture(8, 8)), 80, 1 << 20);
    expect('location' in globalThis).toBe(before);
    expect(before).toBe(false);
  });
});
