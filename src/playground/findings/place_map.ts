import { type GeoPoint, MAP_HEIGHT, MAP_WIDTH, project } from './world_map.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Radius of the mark (`MARK`) and of the ring around it (`RING`), in units of the map. */
const MARK = 2.5;
const RING = 7;

/**
 * A map of the world with these places marked; the land is added once it is loaded.
 * @param label description for people who can't see the map
 */
export function placeMap(places: readonly GeoPoint[], label: string): SVGSVGElement {
  const map = shape('svg', { viewBox: `0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`, role: 'img', 'aria-label': label });
  map.classList.add('world');
  const land = shape('path', { class: 'land', 'fill-rule': 'evenodd' });
  map.append(land);
  // Without the land, the marks and the words next to the map still show where.
  void import('#world-land').then(({ path }) => land.setAttribute('d', path)).catch(() => undefined);
  for (const place of places) {
    const { x, y } = project(place);
    const lines = `M${x} 0V${y - RING}M${x} ${y + RING}V${MAP_HEIGHT}M0 ${y}H${x - RING}M${x + RING} ${y}H${MAP_WIDTH}`;
    map.append(
      shape('path', { class: 'bearing', d: lines }),
      shape('circle', { class: 'ring', cx: x, cy: y, r: RING }),
      shape('circle', { class: 'mark', cx: x, cy: y, r: MARK }),
    );
  }
  return map;
}

function shape<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[T] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
