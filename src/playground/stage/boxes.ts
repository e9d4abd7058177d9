import { announce } from '../dom.ts';
import type { Box } from '../geometry.ts';
import { areaOf } from '../settings/pixelation_plan.ts';
import { isFace } from '../settings/things.ts';
import type { DrawnRegion, Store } from '../state.ts';
import { t } from '../texts.ts';

/**
 * Maps elements on the photo and in the panel to what they stand for, by their data attributes, and changes
 * that.
 */

/** The editable box that an element stands for: the crop, a region or a face; null for others. */
export function boxOf({ state }: Store, { dataset }: HTMLElement): Box | null {
  const { settings, detectedFaces, photo } = state;
  if (dataset.crop !== undefined) return settings.crop;
  if (dataset.face !== undefined) {
    const face = detectedFaces?.[Number(dataset.face)];
    if (!face || !photo?.size || !isFace(face) || face.confidence < settings.confidence) return null;
    return areaOf(face, settings.padding, photo.size);
  }
  return settings.regions.find(({ id }) => String(id) === dataset.region) ?? null;
}

/**
 * Replaces the box that an element stands for.
 * @param box null removes it; a face returns to the box that was detected
 */
export function setBox(store: Store, { dataset }: HTMLElement, box: Box | null): void {
  if (dataset.crop !== undefined) {
    store.updateSettings({ crop: box });
    return;
  }
  const { detectedFaces } = store.state;
  if (dataset.face !== undefined && detectedFaces) {
    const index = Number(dataset.face);
    const { area: _, ...face } = detectedFaces[index]!;
    store.update({ detectedFaces: detectedFaces.with(index, box ? { ...face, area: box } : face) });
    return;
  }
  const { regions } = store.state.settings;
  const isTarget = ({ id }: DrawnRegion) => String(id) === dataset.region;
  store.updateSettings({
    regions: box
      ? regions.map((region) =>
          isTarget(region) ? { ...region, x: box.x, y: box.y, w: box.w, h: box.h } : region,
        )
      : regions.filter((region) => !isTarget(region)),
  });
}

/**
 * Toggles whether a face or a thing is hidden, or whether an uncertain spot is hidden as well.
 * @param index in `detectedFaces`
 */
export function toggleFace(store: Store, index: number): void {
  const { detectedFaces, settings } = store.state;
  const face = detectedFaces?.[index];
  if (!detectedFaces || !face) return;
  const isUncertain = isFace(face) && face.confidence < settings.confidence;
  const changed = isUncertain ? { ...face, isAdded: !face.isAdded } : { ...face, hidden: !face.hidden };
  store.update({ detectedFaces: detectedFaces.with(index, changed) });
  if (isUncertain) announce(t(changed.isAdded ? 'spot.nowHidden' : 'spot.nowShown'));
  else if (isFace(face)) announce(t(changed.hidden ? 'face.nowHidden' : 'face.nowShown'));
  else announce(t(changed.hidden ? 'thing.nowHidden' : 'thing.nowShown'));
}

/** Hides or shows all findings of a kind other than faces. */
export function switchAll(store: Store, kind: string, hidden: boolean): void {
  const { detectedFaces } = store.state;
  if (!detectedFaces) return;
  store.update({ detectedFaces: detectedFaces.map((one) => (one.kind === kind ? { ...one, hidden } : one)) });
  announce(t(hidden ? 'thing.allHidden' : 'thing.allShown'));
}

export const describeBox = ({ x, y, w, h }: Box) =>
  t('box.place', { width: Math.round(w), height: Math.round(h), x: Math.round(x), y: Math.round(y) });
