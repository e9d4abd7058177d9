import { padBox } from '../../faces/boxes.ts';
import type { Head } from '../manifest.ts';
import {
  type Candidate,
  CandidateList,
  type HeadContext,
  type Outputs,
  outputOf,
  sigmoid,
} from './candidates.ts';

type Rule = Extract<Head, { head: 'map' }>;

/**
 * A probability map for each class, [1, classes, h, w] or [1, h, w]. Every connected component of pixels at
 * or above the threshold (neighbours by side or corner) is a box; its confidence is their mean.
 */
export function decodeMap(outputs: Outputs, rule: Rule, { input, categories }: HeadContext): Candidate[] {
  const shapes = [
    [1, categories, undefined, undefined],
    ...(categories === 1 ? [[1, undefined, undefined]] : []),
  ];
  const { data, dims } = outputOf(outputs, rule.output, ...shapes);
  const [height, width] = dims.slice(-2) as [number, number];
  const list = new CandidateList(rule.threshold);
  const across = input.width / width;
  const down = input.height / height;
  const scores = rule.activation === 'none' ? data : data.map(sigmoid);
  const waiting = new Int32Array(width * height);
  for (let category = 0; category < categories; category++) {
    const plane = scores.slice(category * width * height, (category + 1) * width * height);
    for (let start = 0; start < plane.length; start++) {
      if (!(plane[start]! >= rule.threshold)) continue;
      const part = takeComponent(plane, width, height, start, rule.threshold, waiting);
      const box = {
        x: part.left * across,
        y: part.top * down,
        w: (part.right - part.left + 1) * across,
        h: (part.bottom - part.top + 1) * down,
      };
      if (Math.min(box.w, box.h) < rule.least) continue;
      const { x, y, w, h } = padBox(box, rule.grow);
      list.add(x, y, x + w, y + h, part.sum / part.count, category);
    }
  }
  return list.best();
}

/** Removes a component from a map: its pixels are set to 0, so that each is visited once. */
function takeComponent(
  plane: Float32Array,
  width: number,
  height: number,
  start: number,
  threshold: number,
  waiting: Int32Array,
) {
  const part = { left: width, top: height, right: -1, bottom: -1, sum: 0, count: 0 };
  let last = 0;
  const take = (at: number) => {
    part.sum += plane[at]!;
    part.count++;
    plane[at] = -1;
    waiting[last++] = at;
  };
  take(start);
  while (last > 0) {
    const at = waiting[--last]!;
    const x = at % width;
    const y = (at - x) / width;
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x);
    part.top = Math.min(part.top, y);
    part.bottom = Math.max(part.bottom, y);
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const next = row * width + column;
        if (plane[next]! >= threshold && plane[next]! >= 0) take(next);
      }
    }
  }
  return part;
}
