import { type Box, bottom, intersection, padded, right } from '../geometry.ts';

/** The core of a face, as a fraction of it: the service may compute a slightly different centre. */
const CORE = 0.2;

/**
 * The part of an area to spare that contains no other centre: the service leaves every face, and everything
 * else it finds, whose centre lies in such a part.
 * @param area around what is to stay visible
 * @param hidden tight boxes of what is to be hidden
 * @returns null if the centres coincide: then they can't be distinguished, and both are hidden
 */
export function sparedArea(area: Box, hidden: readonly Box[]): Box | null {
  const own = padded(area, CORE);
  let rest = area;
  for (const face of hidden) {
    // On a page of text, most boxes lie elsewhere.
    if (face.y >= bottom(rest) || bottom(face) <= rest.y) continue;
    const core = padded(face, CORE);
    if (!intersection(rest, core)) continue;
    const parts = [
      { ...rest, w: core.x - rest.x },
      { ...rest, x: right(core), w: right(rest) - right(core) },
      { ...rest, h: core.y - rest.y },
      { ...rest, y: bottom(core), h: bottom(rest) - bottom(core) },
    ].filter((part) => part.w > 0 && part.h > 0 && contains(part, own));
    const largest = parts.toSorted((a, b) => b.w * b.h - a.w * a.h)[0];
    if (!largest) return null;
    rest = largest;
  }
  return rest;
}

const contains = (outer: Box, inner: Box) =>
  outer.x <= inner.x && outer.y <= inner.y && right(outer) >= right(inner) && bottom(outer) >= bottom(inner);
