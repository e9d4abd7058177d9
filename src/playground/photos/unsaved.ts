import type { ListedPhoto, PageSettings } from '../state.ts';
import { statusOf } from './photo_list.ts';

/** Clean files that were saved, shared or copied. */
const saved = new WeakSet<Blob>();

/** Records that a clean file was saved, shared or copied. */
export function markSaved(image: Blob): void {
  saved.add(image);
}

/**
 * Whether leaving the page would lose work: a photo with edits that was not cleaned with them, or a clean
 * file that was not saved.
 */
export const hasUnsavedWork = (photos: readonly ListedPhoto[], settings: PageSettings): boolean =>
  photos.some((listed) => {
    const { turn, regions, crop, detectedFaces, result } = listed.kept;
    const isEdited =
      regions.length > 0 ||
      crop !== null ||
      turn !== 0 ||
      (detectedFaces ?? []).some(({ hidden }) => !hidden);
    if (!result) return isEdited;
    return !saved.has(result.image) || (isEdited && statusOf(listed, settings) === 'changed');
  });
