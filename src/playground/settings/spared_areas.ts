import { type Box, bottom, intersection, padded, right } from '../geometry.ts';

/** The middle of a face, as a share of it: the service may find its centre a little elsewhere. */
const CORE = 0.2;

/**
 * The part of an area to be spared in which nothing else has its middle: the service leaves every face, and
 * whatever it finds beside faces, whose centre lies in such a part.
 * @param area around what is to stay visible
 * @param hidden what is to be hidden, tight
 * @returns null where the middles coincide: then nothing tells them apart, and both are hidden
 */
export function sparedArea(area: Box, hidden: readonly Box[]): Box | null {
  const own = padded(area, CORE);
  let rest = area;
  for (const face of hidden) {
    // Most of a page of text lie elsewhere.
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
