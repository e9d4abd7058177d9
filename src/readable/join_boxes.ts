import type { Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { boundsOf } from './outline.ts';
import type { SeenBox } from './read_maps.ts';
import { boxOf, cornersOf, type Point, type TurnedBox } from './turned_box.ts';

/** What steps take, in nanoseconds, for who gives way: a box that is looked at, two that are compared. */
const BOX_TIME = 8000;
const PAIR_TIME = 150;
/** So much is done before it is told. */
const TOLD_TIME = 500_000;

/** Lines that cover this much of a block are what it consists of. */
const LEAST_OF_BLOCK = 0.4;

/** Most boxes of a picture that stay apart. */
export const MOST_BOXES = 3000;
/** And so many cells across and down a picture gather what is beyond them. */
const CELLS = 16;

/** Lines are one where they point the same way to this sine: 14°. */
const SAME_WAY = 0.25;
/** And share this much of the height of the lower one. */
const SAME_HEIGHT = 0.6;
/** Rectangles hardly longer than high point nowhere. */
const POINTS_NOWHERE = 1.5;
/** What is joined takes no more than this times the area of its parts. */
const MOST_GROWTH = 1.3;

/**
 * Joins what is one line: seen in two pieces of the maps, each of which has a part of it, or at two scales.
 * Nothing that was covered before is left out. Yields nanoseconds of work: boxes that cross each other are
 * compared, each with each.
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
 * What only a smaller view shows: in it dense lines run into one block of text, which would cover what lies
 * between them. Yields as `joinBoxes`.
 */
export function* withoutBlocks(
  smaller: readonly SeenBox[],
  finer: readonly SeenBox[],
): Generator<number, readonly SeenBox[]> {
  const texts = finer.filter(({ kind }) => kind === 'text').map(({ box }) => box);
  const kept: SeenBox[] = [];
  for (const seen of smaller) {
    const { kind, box } = seen;
    // What is nearly as high is a part of the same line.
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

/** One box around all, as sure as the surest. */
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
  // The bounds of the other one in the frame of this.
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
 * All boxes where they are not too many. Of more the surest stay apart, and the others are covered by a box
 * for each kind and each cell of the picture that has some: no picture takes long, and nothing is left out.
 * Yields as `joinBoxes`.
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
