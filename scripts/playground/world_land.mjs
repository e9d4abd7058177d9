import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Land of Natural Earth at 1:110 million, in the public domain, as the package world-atlas carries it. */
export const LAND_FILE = fileURLToPath(import.meta.resolve('world-atlas/land-110m.json'));

/** Latitude of the map's upper edge, as in src/playground/findings/world_map.ts. */
const NORTH = 84;
const WIDTH = 360;
/**
 * A corner closer than this, in degrees, to the line between its neighbours can be removed without visible
 * change.
 */
const TOLERANCE = 0.25;

/**
 * The land of the world as one SVG path of straight lines, for the even-odd rule: equirectangular, one unit a
 * degree, from 180° west and 84° north.
 * @returns {string}
 */
export function worldLand() {
  const { arcs, transform, objects } = JSON.parse(readFileSync(LAND_FILE, 'utf8'));
  const [[scaleX, scaleY], [left, bottom]] = [transform.scale, transform.translate];
  // An arc's positions are differences in whole steps (TopoJSON, section 2.1.5).
  const decoded = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x * scaleX + left + 180, Math.max(0, NORTH - (y * scaleY + bottom))];
    });
  });
  // A negative index means a reversed arc; each begins where the previous one ends (sections 2.1.4, 2.2).
  const pointsOf = (index) => (index < 0 ? decoded[~index].toReversed() : decoded[index]);
  const rings = objects.land.geometries
    .flatMap((geometry) => (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs))
    .flat()
    .map((indexes) => indexes.flatMap((index, i) => pointsOf(index).slice(i === 0 ? 0 : 1)));
  return rings
    .map((ring) => simplified(unrolled(ring)))
    .flatMap((ring) => [-WIDTH, 0, WIDTH].map((shift) => ring.map(([x, y]) => [x + shift, y])))
    .map((ring) => clipped(clipped(ring, 0, 1), WIDTH, -1))
    .map((ring) => ring.map(([x, y]) => `${+x.toFixed(1)} ${+y.toFixed(1)}`))
    .map((points) => points.filter((point, i) => point !== points.at(i - 1)))
    .filter((points) => points.length > 2)
    .map((points) => `M${points.join('L')}Z`)
    .join('');
}

/**
 * An open ring that continues beyond the map where it crosses 180°; one around the pole includes the map's
 * edge.
 */
function unrolled(ring) {
  let turns = 0;
  const points = ring.map(([x, y], i) => {
    const before = i === 0 ? x : ring[i - 1][0];
    turns += x - before > WIDTH / 2 ? -1 : before - x > WIDTH / 2 ? 1 : 0;
    return [x + turns * WIDTH, y];
  });
  const [first, last] = [points[0], points.at(-1)];
  return turns === 0 ? points.slice(0, -1) : [...points, [last[0], NORTH + 90], [first[0], NORTH + 90]];
}

/**
 * The part of a ring on one side of a meridian (Sutherland and Hodgman, 1974).
 * @param side 1: east, -1: west
 */
function clipped(ring, meridian, side) {
  const isIn = ([x]) => (x - meridian) * side >= 0;
  return ring.flatMap((point, i) => {
    const before = ring.at(i - 1);
    if (isIn(before) === isIn(point)) return isIn(point) ? [point] : [];
    const share = (meridian - before[0]) / (point[0] - before[0]);
    const crossing = [meridian, before[1] + (point[1] - before[1]) * share];
    return isIn(point) ? [crossing, point] : [crossing];
  });
}

/** A line reduced to its significant corners (Douglas and Peucker, 1973). */
function simplified(points) {
  if (points.length < 3) return points;
  const [[x1, y1], [x2, y2]] = [points[0], points.at(-1)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const distance = ([x, y]) =>
    length === 0
      ? Math.hypot(x - x1, y - y1)
      : Math.abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length;
  let farthest = 0;
  for (let i = 1; i < points.length - 1; i++)
    if (distance(points[i]) > distance(points[farthest])) farthest = i;
  if (distance(points[farthest]) < TOLERANCE) return [points[0], points.at(-1)];
  return [...simplified(points.slice(0, farthest + 1)), ...simplified(points.slice(farthest)).slice(1)];
}
