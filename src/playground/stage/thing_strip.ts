import { byId, el, setText } from '../dom.ts';
import type { Size } from '../geometry.ts';
import type { Drawable } from '../pictures/preview.ts';
import { rove } from '../rove.ts';
import { describeCount } from '../settings/counts.ts';
import type { Face } from '../settings/pixelation_plan.ts';
import { chosenKinds, thingsOf } from '../settings/things.ts';
import { planOf, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { switchAll } from './boxes.ts';
import { describe, percent } from './crop_names.ts';

/** Most crops of a kind: a page of text has hundreds, which can be tapped on the photo. */
const MOST_CROPS = 24;
/** Largest ratio of width to height for the crop of a line. */
const WIDEST = 3.5;

interface Group {
  readonly element: HTMLElement;
  readonly all: HTMLInputElement;
  readonly title: HTMLElement;
  readonly list: HTMLElement;
  readonly rest: HTMLElement;
  /** The inputs of its current list. */
  listed: readonly unknown[];
}

/**
 * The findings besides faces: for each kind a switch for all of it, and crops.
 * @param cropButton makes the item for a finding, by its index
 * @returns updates the display; reports whether there are any findings
 */
export function thingStrip(
  store: Store,
  cropButton: (index: number, size: Size, widest: number) => HTMLElement,
): (picture: Drawable | null) => boolean {
  const parent = byId('things');
  const groups = new Map<string, Group>();

  return (picture) => {
    const { photo, settings, detectedFaces, view } = store.state;
    const size = photo?.size;
    const found = size && view === 'edit' ? (detectedFaces ?? []) : [];
    const shown = chosenKinds(settings).flatMap((kind) => {
      const things = thingsOf(found, [kind]);
      return things.length > 0 ? [{ kind, things }] : [];
    });
    const kinds = new Set(shown.map(({ kind }) => kind));
    for (const [kind, { element }] of groups) element.hidden = !kinds.has(kind);
    for (const { kind, things } of shown) show(kind, things, found, picture, size!);
    return shown.length > 0;
  };

  function show(
    kind: string,
    things: readonly Face[],
    found: readonly Face[],
    picture: Drawable | null,
    size: Size,
  ): void {
    const group = groups.get(kind) ?? addGroup(kind);
    const crops = things.slice(0, MOST_CROPS);
    const indexes = crops.map((thing) => found.indexOf(thing));
    const listed = [picture, ...indexes];
    if (listed.length !== group.listed.length || listed.some((part, at) => part !== group.listed[at])) {
      group.listed = listed;
      group.list.replaceChildren(...indexes.map((index) => cropButton(index, size, WIDEST)));
    }
    describe(group.list, crops, (thing, number) => {
      const name = nameOf(kind, number);
      return {
        label: t('thing.label', { thing: name, percent: percent(thing) }),
        name,
        isHidden: thing.hidden,
      };
    });
    const hidden = things.filter((thing) => thing.hidden).length;
    group.all.checked = hidden === things.length;
    group.all.indeterminate = hidden > 0 && hidden < things.length;
    const count = planOf(store.state)?.pixelation.counts.get(kind);
    setText(group.title, count ? describeCount(kind, count) : '');
    group.rest.hidden = crops.length === things.length;
    setText(group.rest, t('things.more', { count: things.length - crops.length }));
  }

  function addGroup(kind: string): Group {
    const all = el('input', { type: 'checkbox', id: `all-${kind}` });
    const title = el('span', { id: `all-${kind}-title` });
    const list = el('ul');
    const rest = el('p', { className: 'note' });
    list.setAttribute('aria-labelledby', title.id);
    all.addEventListener('change', () => switchAll(store, kind, all.checked));
    const element = el(
      'div',
      { className: 'spots' },
      el('label', { className: 'check' }, all, ' ', title),
      el('div', { className: 'crops' }, list, rest),
    );
    rove(list);
    parent.append(element);
    const group = { element, all, title, list, rest, listed: [] };
    groups.set(kind, group);
    return group;
  }
}

/** "Text 3" */
export const nameOf = (kind: string, number: number): string =>
  kind === 'text' || kind === 'plate'
    ? t(`thing.${kind}`, { number })
    : t('thing.other', { name: kind, number });
