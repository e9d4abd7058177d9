import { announce, byId, el } from '../dom.ts';
import { type Box, clamp, type Size } from '../geometry.ts';
import { enterRows, rove } from '../rove.ts';
import { boxOf, describeBox, setBox } from '../stage/boxes.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';

const SIDES = [
  ['x', 'box.left'],
  ['y', 'box.top'],
  ['w', 'box.width'],
  ['h', 'box.height'],
] as const;

/** Number fields for regions and the crop: exact, and usable without a pointer or a displayed photo. */
export function showBoxFields(store: Store): void {
  const regions = byId('regions');
  regions.role = 'grid';
  store.subscribe(() => regions.setAttribute('aria-label', t('region.list')));
  rove(regions, '.box-row');
  enterRows(regions, '.box-row');
  const point = ({ type, target }: Event) => {
    const { region } = (target as HTMLElement).closest<HTMLElement>('.box-row')!.dataset;
    const box = document.querySelector(`#overlay [data-region="${region}"]`);
    box?.classList.toggle('pointed', type === 'focusin');
  };
  regions.addEventListener('focusin', point);
  regions.addEventListener('focusout', point);
  regions.addEventListener('keydown', (event) => {
    const row = event.target as HTMLElement;
    if (event.key !== 'Delete' || !row.matches('.box-row')) return;
    event.preventDefault();
    const at = [...regions.children].indexOf(row);
    setBox(store, row, null);
    announce(t('box.removed'));
    // The next one, after the rows were rebuilt.
    queueMicrotask(() =>
      ((regions.children[at] ?? regions.lastElementChild ?? byId('add-region')) as HTMLElement).focus(),
    );
  });
  syncRows(store, regions, () =>
    store.state.settings.regions.map((box, index) => ({
      box,
      chosen: { fill: box.fill, shape: box.shape ?? 'rectangle' },
      title: t('region.title', { number: index + 1 }),
      removeLabel: t('region.remove', { number: index + 1 }),
      data: { region: String(box.id) },
    })),
  );
  syncRows(store, byId('crop-box'), () => {
    const { crop } = store.state.settings;
    return crop
      ? [{ box: crop, title: t('crop.title'), removeLabel: t('crop.remove'), data: { crop: '' }, chosen: {} }]
      : [];
  });
}

/** The choices for a region. */
type Choices = { readonly [name in 'fill' | 'shape']: string };

/** For each choice the text of its label and the texts of its values, as prefix and value. */
const CHOICES = {
  fill: ['fill.label', 'fill.solid', 'fill.mosaic'],
  shape: ['shape.label', 'shape.rectangle', 'shape.ellipse'],
} as const;

interface Row {
  readonly box: Box;
  /** The choices made for a region's row; none for the crop, of which there is only one. */
  readonly chosen: Partial<Choices>;
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
    current.forEach(({ box, chosen, title }, index) => {
      const row = list.children[index]!;
      row.setAttribute('aria-label', `${title}, ${describeBox(box)}`);
      const inputs = row.querySelectorAll('input');
      for (const select of row.querySelectorAll('select')) {
        const value = chosen[select.name as keyof typeof chosen];
        if (value && select.value !== value) select.value = value;
      }
      SIDES.forEach(([side], at) => {
        const input = inputs[at]!;
        const value = String(Math.round(box[side]));
        if (document.activeElement !== input && input.value !== value) input.value = value;
      });
    });
  });
}

function rowElement(store: Store, { title, removeLabel, data }: Row): HTMLElement {
  const { region } = data;
  const isRegion = region !== undefined;
  const name = el('p', { className: 'box-name', textContent: title, role: isRegion ? 'rowheader' : null });
  const row = el('div', { className: 'box-row' }, name);
  if (isRegion) {
    Object.assign(row, { role: 'row', tabIndex: -1 });
    row.setAttribute('aria-describedby', 'row-help');
  } else row.role = 'group';
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
  const remove = el('button', { type: 'button', className: 'link', textContent: t('box.remove') });
  remove.setAttribute('aria-label', removeLabel);
  remove.addEventListener('click', () => {
    setBox(store, row, null);
    byId('add-region').focus();
  });
  const exact = el('summary', { textContent: t('box.exact') });
  const fold = el('details', { className: 'fold' }, exact, el('div', { className: 'sides' }, ...sides));
  const choices = isRegion ? [choice(store, region, 'fill'), choice(store, region, 'shape')] : [];
  const parts = [...choices, remove, fold];
  row.append(...parts.map((part) => el('div', { role: isRegion ? 'gridcell' : null }, part)));
  return row;
}

/** A choice for a region. @param region its id */
function choice(store: Store, region: string, name: keyof Choices): HTMLElement {
  const select = el('select', { name });
  const [label, ...values] = CHOICES[name];
  for (const value of values)
    select.append(el('option', { value: value.slice(name.length + 1), textContent: t(value) }));
  select.addEventListener('change', () => {
    store.updateSettings({
      regions: store.state.settings.regions.map((one) =>
        String(one.id) === region ? { ...one, [name]: select.value } : one,
      ),
    });
  });
  return el('label', { className: 'box-fill' }, el('span', { textContent: t(label) }), select);
}

/** The box clipped to the image, at least one pixel long on each side. */
function clipped({ x, y, w, h }: Box, { width, height }: Size): Box {
  const left = clamp(x, 0, width - 1);
  const top = clamp(y, 0, height - 1);
  return { x: left, y: top, w: clamp(w, 1, width - left), h: clamp(h, 1, height - top) };
}
