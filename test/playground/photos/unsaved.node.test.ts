import { describe, expect, it } from 'vitest';
import { newPhoto } from '../../../src/playground/photos/photo_list.ts';
import { hasUnsavedWork, markSaved } from '../../../src/playground/photos/unsaved.ts';
import { planRequest } from '../../../src/playground/settings/ops.ts';
import {
  emptyState,
  type ListedPhoto,
  newRegion,
  type PhotoState,
  type Result,
} from '../../../src/playground/state.ts';

const { settings } = emptyState;
const size = { width: 300, height: 200 };
const region = newRegion({ x: 1, y: 2, w: 30, h: 40 });

function listed(change: Partial<PhotoState>): ListedPhoto {
  const photo = newPhoto({ file: new File(['x'], 'a.jpg'), folder: '' });
  const kept = { ...photo.kept, photo: { ...photo.kept.photo!, size }, ...change };
  return { ...photo, kept };
}

const resultOf = (regions: PhotoState['regions']): Result =>
  ({
    image: new Blob(['clean']),
    request: planRequest({ ...settings, regions }, emptyState, size),
  }) as Result;

describe('work that leaving would lose', () => {
  it('is edits that were not cleaned, and clean files that were not saved', () => {
    const unsaved = (change: Partial<PhotoState>) => hasUnsavedWork([listed({}), listed(change)], settings);
    const face = { x: 1, y: 1, w: 9, h: 9, confidence: 0.9 };
    expect(unsaved({})).toBe(false);
    expect(unsaved({ regions: [region] })).toBe(true);
    expect(unsaved({ crop: { x: 0, y: 0, w: 9, h: 9 } })).toBe(true);
    expect(unsaved({ detectedFaces: [{ ...face, hidden: true }] })).toBe(false);
    expect(unsaved({ detectedFaces: [{ ...face, hidden: false }] })).toBe(true);
    const result = resultOf([region]);
    expect(unsaved({ result, regions: [region] })).toBe(true);
    markSaved(result.image);
    expect(unsaved({ result, regions: [region] })).toBe(false);
    // Edited again since.
    expect(unsaved({ result, regions: [region, newRegion({ x: 90, y: 90, w: 20, h: 20 })] })).toBe(true);
    expect(hasUnsavedWork([], settings)).toBe(false);
  });
});
