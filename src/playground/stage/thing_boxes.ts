import { cornersIn, type OutlinedBox } from '../../readable/outline.ts';
import type { Point } from '../../readable/turned_box.ts';
import { el } from '../dom.ts';
import type { Box, Size } from '../geometry.ts';
import type { Face } from '../settings/pixelation_plan.ts';
import { thingsOf } from '../settings/things.ts';
import { currentLanguage, t } from '../texts.ts';
import { percent } from './crop_names.ts';
import { nameOf } from './thing_strip.ts';

interface Turned {
  readonly box: Box;
  readonly degrees: number;
}

/** A turned rectangle as an upright one and its rotation about the centre. */
export function uprightOf(box: OutlinedBox): Turned {
  if (!box.outline) return { box, degrees: 0 };
  const [a, b, c, d] = cornersIn(box) as [Point, Point, Point, Point];
  const w = Math.hypot(b.x - a.x, b.y - a.y);
  const h = Math.hypot(d.x - a.x, d.y - a.y);
  const degrees = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return { box: { x: (a.x + c.x - w) / 2, y: (a.y + c.y - h) / 2, w, h }, degrees };
}

/**
 * A button on the photo for each thing found. There may be hundreds, so only buttons that differ from before
 * are changed. A click toggles one; drags draw, since pages of text have no space between them.
 * @param add inserts a new button
 * @param place moves a button to where a box of the frame is displayed
 */
export function thingBoxes(
  add: (element: HTMLElement) => void,
  place: (element: HTMLElement, box: Box, frame: Size) => void,
): (frame: Size, found: readonly Face[], kinds: readonly string[]) => void {
  const elements: HTMLElement[] = [];
  let drawn: readonly unknown[] = [];

  return (frame, found, kinds) => {
    const things = thingsOf(found, kinds);
    const all = [frame, currentLanguage(), ...things];
    const isSame = all[0] === drawn[0] && all[1] === drawn[1];
    while (elements.length > things.length) elements.pop()?.remove();
    const numbers = new Map<string, number>();
    const indexes = new Map(found.map((one, index) => [one, index]));
    things.forEach((thing, at) => {
      const kind = thing.kind!;
      const number = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, number);
      const index = String(indexes.get(thing));
      let element = elements[at];
      const isKnown = element && isSame && drawn[at + 2] === thing;
      if (!element) {
        element = el('button', { type: 'button', className: 'face thing' });
        elements.push(element);
        add(element);
      }
      if (element.dataset.face !== index) element.dataset.face = index;
      if (isKnown) return;
      const { box, degrees } = uprightOf(thing);
      place(element, box, frame);
      element.style.rotate = degrees === 0 ? '' : `${degrees}deg`;
      element.setAttribute('aria-pressed', String(thing.hidden));
      const values = { thing: nameOf(kind, number), percent: percent(thing) };
      element.setAttribute('aria-label', t('thing.label', values));
    });
    drawn = all;
  };
}
