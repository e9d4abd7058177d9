import type { Head } from '../manifest.ts';
import {
  type Candidate,
  CandidateList,
  type HeadContext,
  type Outputs,
  outputOf,
  type Surest,
  surestOf,
} from './candidates.ts';

type Rule<Name> = Extract<Head, { head: Name }>;

/** The cells of the input for a stride, row by row. */
function cellsOf({ input }: HeadContext, stride: number) {
  const columns = Math.ceil(input.width / stride);
  return { columns, count: columns * Math.ceil(input.height / stride) };
}

const named = (pattern: string, stride: number) => pattern.replaceAll('{stride}', String(stride));

/**
 * YuNet: for each stride a class score, an objectness, and a box of cell offsets and logarithms of sizes (Wu,
 * Peng, Yu: YuNet, A Tiny Millisecond-level Face Detector, 2023, section 3). The confidence is the geometric
 * mean of the two scores.
 */
export function decodeYunet(outputs: Outputs, rule: Rule<'yunet'>, context: HeadContext): Candidate[] {
  const { categories } = context;
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  for (const stride of rule.strides) {
    const { columns, count } = cellsOf(context, stride);
    const classes = outputOf(outputs, named(rule.classes, stride), [1, count, categories]).data;
    const objects = outputOf(outputs, named(rule.objects, stride), [1, count, 1]).data;
    const boxes = outputOf(outputs, named(rule.boxes, stride), [1, count, 4]).data;
    for (let cell = 0; cell < count; cell++) {
      surestOf(classes, cell * categories, 1, categories, 'none', surest);
      const confidence = Math.sqrt(clamped(surest.confidence) * clamped(objects[cell]!));
      if (!list.counts(confidence)) continue;
      const at = 4 * cell;
      const x = ((cell % columns) + boxes[at]!) * stride;
      const y = (Math.floor(cell / columns) + boxes[at + 1]!) * stride;
      const w = Math.exp(boxes[at + 2]!) * stride;
      const h = Math.exp(boxes[at + 3]!) * stride;
      list.addCentred(x, y, w, h, confidence, surest.category);
    }
  }
  return list.best();
}

const clamped = (score: number) => Math.max(0, Math.min(1, score));

/**
 * SCRFD: for each stride a score and the distances from an anchor's point to the four sides, in strides
 * (Guo, Deng and others: Sample and Computation Redistribution for Efficient Face Detection, 2021).
 */
export function decodeScrfd(outputs: Outputs, rule: Rule<'scrfd'>, context: HeadContext): Candidate[] {
  const { categories } = context;
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  for (const stride of rule.strides) {
    const { columns, count: cells } = cellsOf(context, stride);
    const count = cells * rule.anchors;
    const scores = outputOf(
      outputs,
      named(rule.scores, stride),
      [count, categories],
      [1, count, categories],
    ).data;
    const sides = outputOf(outputs, named(rule.boxes, stride), [count, 4], [1, count, 4]).data;
    for (let anchor = 0; anchor < count; anchor++) {
      surestOf(scores, anchor * categories, 1, categories, 'none', surest);
      if (!list.counts(surest.confidence)) continue;
      const cell = Math.floor(anchor / rule.anchors);
      const x = (cell % columns) * stride;
      const y = Math.floor(cell / columns) * stride;
      const [left, top, right, bottom] = sides.subarray(4 * anchor, 4 * anchor + 4) as unknown as number[];
      list.add(
        x - left! * stride,
        y - top! * stride,
        x + right! * stride,
        y + bottom! * stride,
        surest.confidence,
        surest.category,
      );
    }
  }
  return list.best();
}
