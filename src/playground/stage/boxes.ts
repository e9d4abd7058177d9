import { announce } from '../dom.ts';
import type { Box } from '../geometry.ts';
import { describeVisible } from '../settings/counts.ts';
import { isFace } from '../settings/things.ts';
import { type DrawnRegion, planOf, type Store } from '../state.ts';
import { t } from '../texts.ts';

/**
 * Maps elements on the photo and in the panel to what they stand for, by their data attributes, and changes
 * that.
 */

/** The editable box that an element stands for: the crop or a region; null for others. */
export function boxOf({ state: { settings } }: Store, { dataset }: HTMLElement): Box | null {
  if (dataset.crop !== undefined) return settings.crop;
  return settings.regions.find(({ id }) => String(id) === dataset.region) ?? null;
}

/** Replaces the box that an element stands for. @param box null removes it */
export function setBox(store: Store, { dataset }: HTMLElement, box: Box | null): void {
  if (dataset.crop !== undefined) {
    store.updateSettings({ crop: box });
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
  const visible = describeVisible(planOf(store.state)?.pixelation);
  const now = isUncertain
    ? t(changed.isAdded ? 'spot.nowHidden' : 'spot.nowShown')
    : isFace(face)
      ? t(changed.hidden ? 'face.nowHidden' : 'face.nowShown')
      : t(changed.hidden ? 'thing.nowHidden' : 'thing.nowShown');
  announce(visible ? `${now} ${visible}` : now);
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
