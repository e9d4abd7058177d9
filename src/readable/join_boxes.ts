import type { Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { boundsOf } from './outline.ts';
import type { SeenBox } from './read_maps.ts';
import { boxOf, cornersOf, type Point, type TurnedBox } from './turned_box.ts';

/** Nanoseconds per step, for callers that give way: for a box, and for a comparison of two. */
const BOX_TIME = 8000;
const PAIR_TIME = 150;
/** Nanoseconds of work done before it is yielded. */
const TOLD_TIME = 500_000;

/** Lines that cover at least this share of a block are its content. */
const LEAST_OF_BLOCK = 0.4;

/** Most separate boxes of a picture. */
export const MOST_BOXES = 3000;
/** Cells across and down a picture that collect the remaining boxes. */
const CELLS = 16;

/** Lines may be one if the sine of the angle between them is at most this: 14°. */
const SAME_WAY = 0.25;
/** And if they share this much of the height of the lower one. */
const SAME_HEIGHT = 0.6;
/** Rectangles no longer than this times their height have no direction. */
const POINTS_NOWHERE = 1.5;
/** A joined box has at most this times the area of its parts. */
const MOST_GROWTH = 1.3;

/**
 * Joins the parts of a line that was seen in two pieces of the maps, each with a part of it, or at two
 * scales. Everything covered before stays covered. Yields nanoseconds of work: boxes that cross are compared
 * pairwise.
 */
export function* joinBoxes(boxes: readonly SeenBox[]): Generator<number, SeenBox[]> {
  const index = indexed<ReturnType<typeof entryOf>>();
  const entryOf = (seen: SeenBox, at: number) => ({ ...boundsOf(cornersOf(seen.box)), seen, at });
  const groups = boxes.map((_, at) => at);
  const groupOf = (at: number): number => {
    let group = at;
    while (groups[group] !== group) {
      groups[group] = groups[groups[group]!]!;
      group = groups[group]!;
    }
    return group;
  };
  let untold = 0;
  for (const [at, seen] of boxes.entries()) {
    const entry = entryOf(seen, at);
    const near = index.near(entry, Number.MIN_VALUE);
    for (const other of near) {
      const isJoined = groupOf(other.at) === groupOf(at);
      if (!isJoined && areOneLine(seen, other.seen)) groups[groupOf(other.at)] = groupOf(at);
    }
    index.insert(entry);
    untold += BOX_TIME + near.length * PAIR_TIME;
    if (untold >= TOLD_TIME) {
      yield untold;
      untold = 0;
    }
  }
  const members = new Map<number, SeenBox[]>();
  for (const [at, seen] of boxes.entries()) {
    const group = groupOf(at);
    const others = members.get(group);
    if (others) others.push(seen);
    else members.set(group, [seen]);
  }
  const lines: SeenBox[] = [];
  for (const parts of members.values()) {
    lines.push(...joined(parts));
    yield parts.length * BOX_TIME;
  }
  return lines;
}

/**
 * The boxes that only a smaller view shows. In that view dense lines merge into one block of text, which
 * would cover what lies between them. Yields as `joinBoxes`.
 */
export function* withoutBlocks(
  smaller: readonly SeenBox[],
  finer: readonly SeenBox[],
): Generator<number, readonly SeenBox[]> {
  const texts = finer.filter(({ kind }) => kind === 'text').map(({ box }) => box);
  const kept: SeenBox[] = [];
  for (const seen of smaller) {
    const { kind, box } = seen;
    // A box of nearly the same height is a part of the same line.
    const isPart = (line: TurnedBox) => line.short < box.short / 2 && holds(box, line.centre);
    const lines = kind === 'text' ? texts.filter(isPart) : [];
    const covered = lines.reduce((sum, line) => sum + areaOf(line), 0);
    if (covered < LEAST_OF_BLOCK * areaOf(box)) kept.push(seen);
    yield (texts.length * PAIR_TIME) / 8;
  }
  return kept;
}

function holds({ centre, along, long, short }: TurnedBox, { x, y }: Point): boolean {
  const [dx, dy] = [x - centre.x, y - centre.y];
  return Math.abs(dx * along.x + dy * along.y) <= long && Math.abs(dy * along.x - dx * along.y) <= short;
}

function joined(parts: readonly SeenBox[]): readonly SeenBox[] {
  if (parts.length === 1) return parts;
  const one = together(parts);
  const area = parts.reduce((sum, { box }) => sum + areaOf(box), 0);
  return areaOf(one.box) > MOST_GROWTH * area ? parts : [one];
}

/** One box around all, with the highest of their confidences. */
const together = (parts: readonly SeenBox[]): SeenBox => ({
  kind: parts[0]!.kind,
  confidence: Math.max(...parts.map(({ confidence }) => confidence)),
  box: boxOf(parts.flatMap(({ box }) => cornersOf(box))),
});

const areaOf = ({ long, short }: TurnedBox) => 4 * long * short;

function areOneLine(a: SeenBox, b: SeenBox): boolean {
  if (a.kind !== b.kind) return false;
  const [main, other] = a.box.long >= b.box.long ? [a.box, b.box] : [b.box, a.box];
  const { centre, along, long, short } = main;
  const sine = Math.abs(along.x * other.along.y - along.y * other.along.x);
  const pointsNowhere = (box: TurnedBox) => box.long < POINTS_NOWHERE * box.short;
  if (sine > SAME_WAY && !pointsNowhere(main) && !pointsNowhere(other)) return false;
  // The bounds of the other box in the coordinates of this one.
  const cosine = Math.abs(along.x * other.along.x + along.y * other.along.y);
  const [dx, dy] = [other.centre.x - centre.x, other.centre.y - centre.y];
  const [w, h] = [
    2 * (other.long * cosine + other.short * sine),
    2 * (other.long * sine + other.short * cosine),
  ];
  const [x, y] = [dx * along.x + dy * along.y - w / 2, dy * along.x - dx * along.y - h / 2];
  const across = Math.min(long, x + w) - Math.max(-long, x);
  const down = Math.min(short, y + h) - Math.max(-short, y);
  if (across <= 0 || down < SAME_HEIGHT * Math.min(2 * short, h)) return false;
  const around =
    (Math.max(long, x + w) - Math.min(-long, x)) * (Math.max(short, y + h) - Math.min(-short, y));
  return around <= MOST_GROWTH * (areaOf(main) + areaOf(other) - across * down);
}

/**
 * Returns all boxes unless there are too many. Otherwise the most confident stay separate, and the others are
 * covered by one box per kind and cell of the picture: this bounds the time, and nothing is left out. Yields
 * as `joinBoxes`.
 */
export function* atMost(
  boxes: readonly SeenBox[],
  { width, height }: Size,
): Generator<number, readonly SeenBox[]> {
  if (boxes.length <= MOST_BOXES) return boxes;
  yield boxes.length * PAIR_TIME;
  const sorted = boxes.toSorted((a, b) => b.confidence - a.confidence);
  const cells = new Map<string, SeenBox[]>();
  for (const seen of sorted.slice(MOST_BOXES)) {
    const { x, y } = seen.box.centre;
    const cell = `${seen.kind} ${Math.floor((x / width) * CELLS)} ${Math.floor((y / height) * CELLS)}`;
    const others = cells.get(cell);
    if (others) others.push(seen);
    else cells.set(cell, [seen]);
  }
  const fewer = sorted.slice(0, MOST_BOXES);
  for (const parts of cells.values()) {
    fewer.push(together(parts));
    yield parts.length * BOX_TIME;
  }
  return fewer;
}
