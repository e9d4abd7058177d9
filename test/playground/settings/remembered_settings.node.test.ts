import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRemembered, rememberedText } from '../../../src/playground/settings/remembered_settings.ts';
import { emptyState, newRegion } from '../../../src/playground/state.ts';

const { settings } = emptyState;

describe('remembered settings', () => {
  it('come back as they were, without anything of a photo', () => {
    const changed = {
      ...settings,
      grayscale: true,
      text: true,
      detectors: ['badges'],
      faceFill: 'solid' as const,
      format: 'webp' as const,
      maxWidth: 1200,
      regions: [newRegion({ x: 1, y: 2, w: 3, h: 4 })],
      crop: { x: 1, y: 2, w: 3, h: 4 },
    };
    const text = rememberedText(changed);
    expect(text).not.toMatch(/region|crop/);
    expect({ ...settings, ...readRemembered(text) }).toEqual({ ...changed, regions: [], crop: null });
    expect(readRemembered(rememberedText(settings)).maxWidth).toBeUndefined();
  });

  it('never hold that faces are left as they are: the next photo’s are hidden', () => {
    const text = rememberedText({ ...settings, faces: false });
    expect(text).not.toContain('faces');
    // Nor do those of an earlier version.
    expect(readRemembered('{"faces":false,"grayscale":true}')).toEqual({ grayscale: true });
  });

  it('that are out of bounds, of another type or of another version are left out', () => {
    const stored = {
      strength: 99,
      confidence: '0.5',
      quality: 80,
      format: 'gif',
      faces: false,
      detectors: [7],
      apiKey: 'isk_x',
    };
    expect(readRemembered(JSON.stringify(stored))).toEqual({ quality: 80 });
    expect([null, '', '{', '7', 'null', '[]'].map(readRemembered)).toEqual(Array(6).fill({}));
  });

  it('never break the page, whatever is stored', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { strength = 3, format = 'auto' } = readRemembered(text);
        expect(strength).toBeGreaterThanOrEqual(1);
        expect(['auto', 'jpeg', 'png', 'webp']).toContain(format);
      }),
      { seed: 25, numRuns: 300 },
    );
  });
});
