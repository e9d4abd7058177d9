import { announce, byId, setPressed } from '../dom.ts';
import { type Box, moved, resized, type Size } from '../geometry.ts';
import { newRegion, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { boxOf, describeBox, setBox } from './boxes.ts';
import { cropRatios, fittedToRatio, largestCrop, ratioOf, resizedToRatio } from './crop_ratio.ts';

/** Fraction of the image's width and height that a new region covers. */
const NEW_REGION_SHARE = 0.2;
/** Fraction that a new crop covers. */
const NEW_CROP_SHARE = 0.8;
/** Fraction of the longer side by which an arrow key moves a box. */
const KEY_STEP_SHARE = 0.01;

/** Lets buttons and keys add, move, resize and remove boxes, and keep the crop to a ratio. */
export function editBoxesByKeys(store: Store): void {
  const overlay = byId('overlay');

  byId('add-region').addEventListener('click', () => {
    const frame = store.state.photo?.size;
    if (!frame) return;
    if (store.state.tool === 'crop') {
      const ratio = ratioOf(store.state.cropRatio, frame);
      const added = ratio === null ? centred(frame, NEW_CROP_SHARE) : largestCrop(ratio, frame);
      store.updateSettings({ crop: store.state.settings.crop ?? added });
      focusNext('[data-crop]');
      return;
    }
    const { shape, settings } = store.state;
    const { regions } = settings;
    const region = newRegion(uncovered(centred(frame, NEW_REGION_SHARE), regions, frame), shape);
    store.updateSettings({ regions: [...regions, region] });
    announce(t('region.addedMiddle'));
    focusNext(`[data-region="${region.id}"]`);
  });

  /** Focuses an element of the overlay that the next rendering makes. */
  function focusNext(selector: string): void {
    queueMicrotask(() => overlay.querySelector<HTMLElement>(selector)?.focus());
  }

  const ratios = byId<HTMLSelectElement>('crop-ratio');
  ratios.addEventListener('change', () => {
    const cropRatio = cropRatios.find((name) => name === ratios.value) ?? 'free';
    store.update({ cropRatio });
    const frame = store.state.photo?.size;
    const ratio = frame ? ratioOf(cropRatio, frame) : null;
    if (!frame || ratio === null) return;
    const { crop } = store.state.settings;
    store.updateSettings({ crop: crop ? fittedToRatio(crop, ratio, frame) : largestCrop(ratio, frame) });
  });
  const shapes = byId('shapes');
  shapes.addEventListener('click', ({ target }) => {
    const shape = target instanceof Element && target.closest<HTMLElement>('[data-shape]')?.dataset.shape;
    if (shape === 'rectangle' || shape === 'ellipse') store.update({ shape });
  });
  store.subscribe(() => {
    const { tool, view, cropRatio, shape } = store.state;
    shapes.hidden = tool !== 'hide' || view !== 'edit';
    setPressed(shapes, 'shape', shape);
    byId('ratio-field').hidden = tool !== 'crop' || view !== 'edit';
    if (ratios.value !== cropRatio) ratios.value = cropRatio;
  });

  overlay.addEventListener('keydown', (event) => {
    const element = event.target instanceof HTMLElement ? event.target : null;
    const frame = store.state.photo?.size;
    if (!element || !frame) return;
    const box = boxOf(store, element);
    if (!box) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      setBox(store, element, null);
      announce(t('box.removed'));
      byId('add-region').focus();
      return;
    }
    const step = event.ctrlKey
      ? 1
      : Math.max(1, Math.round(Math.max(frame.width, frame.height) * KEY_STEP_SHARE));
    const dx = { ArrowLeft: -step, ArrowRight: step }[event.key] ?? 0;
    const dy = { ArrowUp: -step, ArrowDown: step }[event.key] ?? 0;
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const ratio = element.dataset.crop === undefined ? null : ratioOf(store.state.cropRatio, frame);
    const corner = { horizontal: 1, vertical: 1 } as const;
    const sized = () =>
      ratio === null
        ? resized(box, corner, dx, dy, frame)
        : resizedToRatio(box, corner, dx, dy, ratio, frame);
    const changed = event.shiftKey ? sized() : moved(box, dx, dy, frame);
    setBox(store, element, changed);
    announce(describeBox(changed));
  });
}

/** The box, moved to the lower right until no other box covers it completely, or the picture ends. */
function uncovered(box: Box, others: readonly Box[], frame: Size): Box {
  const step = Math.max(1, Math.round(Math.max(frame.width, frame.height) * KEY_STEP_SHARE * 3));
  if (!others.some(({ x, y }) => x === box.x && y === box.y)) return box;
  const next = moved(box, step, step, frame);
  return next.x === box.x && next.y === box.y ? box : uncovered(next, others, frame);
}

/** @param share fraction of the image's width and height, 0 to 1 */
function centred({ width, height }: Size, share: number): Box {
  const w = Math.max(1, Math.round(width * share));
  const h = Math.max(1, Math.round(height * share));
  return { x: Math.round((width - w) / 2), y: Math.round((height - h) / 2), w, h };
}
