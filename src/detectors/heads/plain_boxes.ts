import type { Head } from '../manifest.ts';
import {
  type Candidate,
  CandidateList,
  type HeadContext,
  HeadError,
  type Outputs,
  outputOf,
  type Surest,
  surestOf,
} from './candidates.ts';

type Rule<Name> = Extract<Head, { head: Name }>;

/** Boxes as two corners in input pixels, [1, n, 4], and their scores, [1, n] or [1, n, classes]. */
export function decodeBoxes(outputs: Outputs, rule: Rule<'boxes'>, { categories }: HeadContext): Candidate[] {
  const boxes = outputOf(outputs, rule.boxes, [1, undefined, 4]);
  const count = boxes.dims[1]!;
  const shapes =
    categories === 1
      ? [
          [1, count],
          [1, count, 1],
        ]
      : [[1, count, categories]];
  const scores = outputOf(outputs, rule.scores, ...shapes).data;
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  for (let index = 0; index < count; index++) {
    surestOf(scores, index * categories, 1, categories, rule.activation, surest);
    const at = 4 * index;
    const [x1, y1, x2, y2] = [boxes.data[at]!, boxes.data[at + 1]!, boxes.data[at + 2]!, boxes.data[at + 3]!];
    list.add(x1, y1, x2, y2, surest.confidence, surest.category);
  }
  return list.best();
}

/**
 * SSD: boxes as offsets from priors, scaled by variances (Liu and others: SSD, Single Shot MultiBox Detector,
 * 2016, section 2.2): centres relative to the prior's size, sizes as logarithms. Priors are square, one per
 * size at the centre of each cell of a stride, in the order of the manifest.
 */
export function decodeSsd(
  outputs: Outputs,
  rule: Rule<'ssd'>,
  { input, categories }: HeadContext,
): Candidate[] {
  const grids = rule.priors.map(({ stride, sizes }) => ({
    stride,
    sizes,
    columns: Math.ceil(input.width / stride),
    rows: Math.ceil(input.height / stride),
  }));
  const count = grids.reduce((sum, { columns, rows, sizes }) => sum + columns * rows * sizes.length, 0);
  const offsets = outputOf(outputs, rule.boxes, [1, undefined, 4]);
  if (offsets.dims[1] !== count) {
    throw new HeadError(`Expected ${count} boxes, one for each prior, but received ${offsets.dims[1]}`);
  }
  // The background class has a score but no kind.
  const all = categories + (rule.background < 0 ? 0 : 1);
  const scores = outputOf(outputs, rule.scores, [1, count, all]).data;
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  const [centre, size] = rule.variances;
  let index = 0;
  for (const { stride, sizes, columns, rows } of grids) {
    for (let cell = 0; cell < columns * rows; cell++) {
      for (const prior of sizes) {
        const at = 4 * index;
        surestOf(scores, index++ * all, 1, all, rule.activation, surest, rule.background);
        if (!list.counts(surest.confidence)) continue;
        const { category, confidence } = surest;
        list.addCentred(
          ((cell % columns) + 0.5) * stride + offsets.data[at]! * centre * prior,
          (Math.floor(cell / columns) + 0.5) * stride + offsets.data[at + 1]! * centre * prior,
          prior * Math.exp(offsets.data[at + 2]! * size),
          prior * Math.exp(offsets.data[at + 3]! * size),
          confidence,
          rule.background >= 0 && category > rule.background ? category - 1 : category,
        );
      }
    }
  }
  return list.best();
}
