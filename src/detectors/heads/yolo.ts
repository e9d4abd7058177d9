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

/**
 * YOLOv5's rows: centre, size, objectness and a score for each class, [1, n, 5 + classes]
 * (ultralytics/yolov5, `Detect.forward` of an export).
 */
export function decodeYolov5(
  outputs: Outputs,
  rule: Rule<'yolov5'>,
  { categories }: HeadContext,
): Candidate[] {
  const width = 5 + categories;
  const { data, dims } = outputOf(outputs, rule.output, [1, undefined, width]);
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  for (let at = 0, end = dims[1]! * width; at < end; at += width) {
    const object = data[at + 4]!;
    if (!list.counts(object)) continue;
    surestOf(data, at + 5, 1, categories, rule.activation, surest);
    const confidence = object * surest.confidence;
    list.addCentred(data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!, confidence, surest.category);
  }
  return list.best();
}

/**
 * The columns of YOLOv8, v9 and v11: centre, size and a score for each class, [1, 4 + classes, n], or the
 * same transposed (Ultralytics' export without suppression).
 */
export function decodeYolov8(
  outputs: Outputs,
  rule: Rule<'yolov8'>,
  { categories }: HeadContext,
): Candidate[] {
  const rows = 4 + categories;
  const { data, dims } = outputOf(outputs, rule.output, [1, rows, undefined], [1, undefined, rows]);
  const isTransposed = dims[1] !== rows;
  const count = isTransposed ? dims[1]! : dims[2]!;
  const [next, step] = isTransposed ? [rows, 1] : [1, count];
  const list = new CandidateList(rule.threshold);
  const surest: Surest = { category: 0, confidence: 0 };
  for (let index = 0; index < count; index++) {
    const at = index * next;
    surestOf(data, at + 4 * step, step, categories, rule.activation, surest);
    if (!list.counts(surest.confidence)) continue;
    const [x, y, w, h] = [data[at]!, data[at + step]!, data[at + 2 * step]!, data[at + 3 * step]!];
    list.addCentred(x, y, w, h, surest.confidence, surest.category);
  }
  return list.best();
}

/** Rows of a network that suppresses by itself, such as YOLOv10: two corners, score, class, [1, n, 6]. */
export function decodeYoloNms(
  outputs: Outputs,
  rule: Rule<'yolo-nms'>,
  { categories }: HeadContext,
): Candidate[] {
  const { data, dims } = outputOf(outputs, rule.output, [1, undefined, 6]);
  const list = new CandidateList(rule.threshold);
  for (let at = 0, end = dims[1]! * 6; at < end; at += 6) {
    const confidence = data[at + 4]!;
    if (!list.counts(confidence)) continue;
    const category = data[at + 5]!;
    if (!(Number.isInteger(category) && category >= 0 && category < categories)) {
      throw new HeadError(`Expected classes from 0 to ${categories - 1} but the model gives ${category}`);
    }
    list.add(data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!, confidence, category);
  }
  return list.best();
}
