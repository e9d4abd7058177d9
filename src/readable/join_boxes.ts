import type { Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { boundsOf } from './outline.ts';
import type { SeenBox } from './read_maps.ts';
import { boxOf, cornersOf, type Point, type TurnedBox } from './turned_box.ts';

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
 * Joins what is one line: seen in two tiles, each of which has a part of it, or at two scales. Nothing that
 * was covered before is left out.
 */
export function joinBoxes(boxes: readonly SeenBox[]): SeenBox[] {
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
  for (const [at, seen] of boxes.entries()) {
    const entry = entryOf(seen, at);
    for (const other of index.near(entry, Number.MIN_VALUE)) {
      if (areOneLine(seen, other.seen)) groups[groupOf(other.at)] = groupOf(at);
    }
    index.insert(entry);
  }
  const members = new Map<number, SeenBox[]>();
  for (const [at, seen] of boxes.entries()) {
    const group = groupOf(at);
    members.set(group, [...(members.get(group) ?? []), seen]);
  }
  return [...members.values()].flatMap(joined);
}

/**
 * What only a smaller view shows: in it dense lines run into one block of text, which would cover what lies
 * between them.
 */
export function withoutBlocks(smaller: readonly SeenBox[], finer: readonly SeenBox[]): readonly SeenBox[] {
  const texts = finer.filter(({ kind }) => kind === 'text');
  return smaller.filter(({ kind, box }) => {
    if (kind !== 'text') return true;
    // What is nearly as high is a part of the same line.
    const lines = texts.filter((line) => line.box.short < box.short / 2 && holds(box, line.box.centre));
    return lines.reduce((sum, line) => sum + areaOf(line.box), 0) < LEAST_OF_BLOCK * areaOf(box);
  });
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
  const corners = cornersOf(other).map(({ x, y }) => {
    const [dx, dy] = [x - centre.x, y - centre.y];
    return { x: dx * along.x + dy * along.y, y: dy * along.x - dx * along.y };
  });
  const { x, y, w, h } = boundsOf(corners);
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
 */
export function atMost(boxes: readonly SeenBox[], { width, height }: Size): readonly SeenBox[] {
  if (boxes.length <= MOST_BOXES) return boxes;
  const sorted = boxes.toSorted((a, b) => b.confidence - a.confidence);
  const cells = new Map<string, SeenBox[]>();
  for (const seen of sorted.slice(MOST_BOXES)) {
    const { x, y } = seen.box.centre;
    const cell = `${seen.kind} ${Math.floor((x / width) * CELLS)} ${Math.floor((y / height) * CELLS)}`;
    const others = cells.get(cell);
    if (others) others.push(seen);
    else cells.set(cell, [seen]);
  }
  return [...sorted.slice(0, MOST_BOXES), ...[...cells.values()].map(together)];
}
