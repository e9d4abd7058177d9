import { byId, el } from '../dom.ts';
import { type Box, clamp, type Size } from '../geometry.ts';
import { rove } from '../rove.ts';
import { boxOf, setBox } from '../stage/boxes.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import type { Fill } from './pixelation_plan.ts';

const SIDES = [
  ['x', 'box.left'],
  ['y', 'box.top'],
  ['w', 'box.width'],
  ['h', 'box.height'],
] as const;

/** Number fields for regions and the crop: exact, and usable without a pointer or a displayed photo. */
export function showBoxFields(store: Store): void {
  rove(byId('regions'), '.box-row');
  syncRows(store, byId('regions'), () =>
    store.state.settings.regions.map((box, index) => ({
      box,
      fill: box.fill,
      title: t('region.title', { number: index + 1 }),
      removeLabel: t('region.remove', { number: index + 1 }),
      data: { region: String(box.id) },
    })),
  );
  syncRows(store, byId('crop-box'), () => {
    const { crop } = store.state.settings;
    return crop
      ? [{ box: crop, title: t('crop.title'), removeLabel: t('crop.remove'), data: { crop: '' } }]
      : [];
  });
}

interface Row {
  readonly box: Box;
  /** How it is hidden; none for the crop. */
  readonly fill?: Fill;
  readonly title: string;
  /** The name of the button that removes it. */
  readonly removeLabel: string;
  /** Data attributes that identify the box, as on the overlay's elements. */
  readonly data: Readonly<Record<string, string>>;
}

function syncRows(store: Store, list: HTMLElement, rows: () => readonly Row[]): void {
  store.subscribe(() => {
    const current = rows();
    const key = current.map(({ title, data }) => [title, data.region]).join();
    // Rebuilt only when boxes were added or removed, so that the field being typed into keeps its focus.
    if (list.dataset.rows !== key) {
      list.dataset.rows = key;
      list.replaceChildren(...current.map((row) => rowElement(store, row)));
    }
    current.forEach(({ box, fill }, index) => {
      const inputs = list.children[index]!.querySelectorAll('input');
      const select = list.children[index]!.querySelector('select');
      if (select && fill && select.value !== fill) select.value = fill;
      SIDES.forEach(([side], at) => {
        const input = inputs[at]!;
        const value = String(Math.round(box[side]));
        if (document.activeElement !== input && input.value !== value) input.value = value;
      });
    });
  });
}

function rowElement(store: Store, { title, removeLabel, data }: Row): HTMLElement {
  const row = el('fieldset', { className: 'box-row' }, el('legend', { textContent: title }));
  Object.assign(row.dataset, data);
  const sides = SIDES.map(([side, name]) => {
    const input = el('input', { type: 'number', min: '0', step: '1', inputMode: 'numeric' });
    input.addEventListener('change', () => {
      const size = store.state.photo?.size;
      const box = boxOf(store, row);
      if (size && box && input.value !== '')
        setBox(store, row, clipped({ ...box, [side]: Number(input.value) }, size));
    });
    return el('label', {}, el('span', { textContent: t(name) }), input);
  });
  if (data.region !== undefined) row.append(fillChoice(store, data.region));
  const remove = el('button', { type: 'button', className: 'link', textContent: t('box.remove') });
  remove.setAttribute('aria-label', removeLabel);
  remove.addEventListener('click', () => {
    setBox(store, row, null);
    byId('add-region').focus();
  });
  const exact = el('summary', { textContent: t('box.exact') });
  row.append(
    remove,
    el('details', { className: 'fold' }, exact, el('div', { className: 'sides' }, ...sides)),
  );
  return row;
}

/** How a region is hidden. @param region its id */
function fillChoice(store: Store, region: string): HTMLElement {
  const select = el('select');
  for (const fill of ['solid', 'mosaic'] satisfies Fill[])
    select.append(el('option', { value: fill, textContent: t(`fill.${fill}`) }));
  const chosen = () => store.state.settings.regions.find(({ id }) => String(id) === region);
  select.value = chosen()?.fill ?? 'solid';
  select.addEventListener('change', () => {
    const fill = select.value as Fill;
    store.updateSettings({
      regions: store.state.settings.regions.map((one) =>
        String(one.id) === region ? { ...one, fill } : one,
      ),
    });
  });
  return el('label', { className: 'box-fill' }, el('span', { textContent: t('fill.label') }), select);
}

/** The box clipped to the image, at least one pixel long on each side. */
function clipped({ x, y, w, h }: Box, { width, height }: Size): Box {
  const left = clamp(x, 0, width - 1);
  const top = clamp(y, 0, height - 1);
  return { x: left, y: top, w: clamp(w, 1, width - left), h: clamp(h, 1, height - top) };
}
