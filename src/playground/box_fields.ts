import { byId, el } from './dom.ts';
import { type Box, clamp, type Size } from './geometry.ts';
import { setBox } from './overlay.ts';
import type { Store } from './state.ts';

const SIDES = [
  ['x', 'Left'],
  ['y', 'Top'],
  ['w', 'Width'],
  ['h', 'Height'],
] as const;

/** Regions and the crop in numbers: the exact way, and the one that needs no pointer and no picture. */
export function showBoxes(store: Store): void {
  keepRows(store, byId('regions'), () =>
    store.state.settings.regions.map((box, index) => ({
      box,
      title: `Region ${index + 1}`,
      data: { region: String(box.id) },
    })),
  );
  keepRows(store, byId('crop-box'), () => {
    const { crop } = store.state.settings;
    return crop ? [{ box: crop, title: 'Crop', data: { crop: '' } }] : [];
  });
}

interface Row {
  readonly box: Box;
  readonly title: string;
  /** Names the box, as on the overlay's elements. */
  readonly data: Readonly<Record<string, string>>;
}

function keepRows(store: Store, list: HTMLElement, rows: () => readonly Row[]): void {
  store.view(() => {
    const wanted = rows();
    const names = wanted.map(({ title, data }) => title + JSON.stringify(data)).join();
    // Rows are only made anew when there are others: a field that is being typed into must stay.
    if (list.dataset.rows !== names) {
      list.dataset.rows = names;
      list.replaceChildren(...wanted.map((row) => rowElement(store, row)));
    }
    wanted.forEach(({ box }, index) => {
      const inputs = list.children[index]!.querySelectorAll('input');
      SIDES.forEach(([side], at) => {
        const input = inputs[at]!;
        const value = String(Math.round(box[side]));
        if (document.activeElement !== input && input.value !== value) input.value = value;
      });
    });
  });
}

function rowElement(store: Store, { title, data }: Row): HTMLElement {
  const row = el('fieldset', { className: 'box-row' }, el('legend', { textContent: title }));
  Object.assign(row.dataset, data);
  for (const [side, name] of SIDES) {
    const input = el('input', { type: 'number', min: '0', step: '1', inputMode: 'numeric' });
    input.addEventListener('change', () => {
      const frame = store.state.photo?.frame;
      const box = boxNamed(store, data);
      if (frame && box && input.value !== '')
        setBox(store, row, fitted({ ...box, [side]: Number(input.value) }, frame));
    });
    row.append(el('label', {}, el('span', { textContent: name }), input));
  }
  const remove = el('button', { type: 'button', className: 'link', textContent: 'Remove' });
  remove.setAttribute('aria-label', `Remove ${title.toLowerCase()}`);
  remove.addEventListener('click', () => {
    setBox(store, row, null);
    byId('add-region').focus();
  });
  row.append(remove);
  return row;
}

function boxNamed({ state }: Store, data: Row['data']): Box | null {
  if ('crop' in data) return state.settings.crop;
  return state.settings.regions.find(({ id }) => String(id) === data.region) ?? null;
}

/** At least a pixel, and inside the picture. */
function fitted({ x, y, w, h }: Box, { width, height }: Size): Box {
  const left = clamp(x, 0, width - 1);
  const top = clamp(y, 0, height - 1);
  return { x: left, y: top, w: clamp(w, 1, width - left), h: clamp(h, 1, height - top) };
}
