import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, byConfidence, type ScoredBox } from '../../src/faces/boxes.ts';
import { type MatValue, readMat } from './mat.ts';

/** The lists of faces that the benchmark measures by. */
export const subsets = ['easy', 'medium', 'hard'] as const;
type Subset = (typeof subsets)[number];

/** Of each face a number, larger where it is harder to see. */
const labels = ['blur', 'occlusion', 'pose', 'illumination'] as const;
type Label = (typeof labels)[number];

/** A picture of WIDER FACE's validation half. */
export interface WiderPicture {
  readonly path: string;
  readonly event: number;
  readonly faces: readonly Box[];
  readonly labels: Readonly<Record<Label | 'invalid', readonly number[]>>;
  /** Indices of the faces that count in each. */
  readonly subsets: Readonly<Record<Subset, ReadonlySet<number>>>;
}

/**
 * @param folder holds `WIDER_val/images` and the benchmark's four `wider_*_val.mat`
 * @returns in the benchmark's order
 */
export function widerPictures(folder: string): WiderPicture[] {
  const load = (name: string) => readMat(readFileSync(join(folder, `wider_${name}_val.mat`)));
  const all = load('face');
  const kept = subsets.map((name) => load(name).get('gt_list') as MatValue[][]);
  const lists = (name: string) => all.get(name) as MatValue[][];
  return (all.get('event_list') as string[]).flatMap((event, e) =>
    lists('file_list')[e]!.map((file, i) => {
      const of = (name: string) => lists(name)[e]![i] as number[];
      const sides = of('face_bbx_list');
      const count = sides.length / 4;
      const face = (_: unknown, at: number) => {
        const [x, y, w, h] = [0, 1, 2, 3].map((side) => sides[side * count + at]!) as [
          number,
          number,
          number,
          number,
        ];
        return { x, y, w, h };
      };
      return {
        path: join(folder, 'WIDER_val/images', event, `${file as string}.jpg`),
        event: Number.parseInt(event, 10),
        faces: Array.from({ length: count }, face),
        labels: {
          blur: of('blur_label_list'),
          occlusion: of('occlusion_label_list'),
          pose: of('pose_label_list'),
          illumination: of('illumination_label_list'),
          invalid: of('invalid_label_list'),
        },
        subsets: Object.fromEntries(
          subsets.map((name, at) => [name, new Set((kept[at]![e]![i] as number[]).map((one) => one - 1))]),
        ) as Record<Subset, Set<number>>,
      };
    }),
  );
}

/** What was detected in a picture. */
export interface WiderResult {
  readonly picture: WiderPicture;
  readonly boxes: readonly ScoredBox[];
}

/** Overlap of two boxes as the benchmark counts it: edges are pixels, which belong to them. */
function pixelOverlap(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) + 1;
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) + 1;
  if (w <= 0 || h <= 0) return 0;
  return (w * h) / ((a.w + 1) * (a.h + 1) + (b.w + 1) * (b.h + 1) - w * h);
}

/**
 * Average precision as WIDER FACE's evaluation has it: a box is of the face that it overlaps most, by half at
 * least; it counts neither way where that face is not in the subset, and as wrong where the face has one. The
 * area under precision by recall, precision being the best at any higher recall.
 */
export function averagePrecision(results: readonly WiderResult[], subset: Subset): number {
  const outcomes: { readonly confidence: number; readonly isFound: boolean }[] = [];
  let faces = 0;
  for (const { picture, boxes } of results) {
    const counted = picture.subsets[subset];
    faces += counted.size;
    const found = new Set<number>();
    for (const box of boxes.toSorted(byConfidence)) {
      const { confidence } = box;
      const overlaps = picture.faces.map((face) => pixelOverlap(box, face));
      const most = Math.max(0, ...overlaps);
      const index = overlaps.indexOf(most);
      if (most < 0.5) outcomes.push({ confidence, isFound: false });
      else if (counted.has(index)) outcomes.push({ confidence, isFound: !found.has(index) });
      found.add(most < 0.5 ? -1 : index);
    }
  }
  outcomes.sort((a, b) => b.confidence - a.confidence);
  let right = 0;
  const curve = outcomes.map(({ isFound }, index) => {
    if (isFound) right++;
    return { recall: right / Math.max(1, faces), precision: right / (index + 1) };
  });
  let [area, best] = [0, 0];
  for (let i = curve.length - 1; i >= 0; i--) {
    best = Math.max(best, curve[i]!.precision);
    area += (curve[i]!.recall - (curve[i - 1]?.recall ?? 0)) * best;
  }
  return area;
}

/** Ways to split faces into groups: the name of each, and whether a face is in it. */
export const groups: readonly (readonly [string, (picture: WiderPicture, face: number) => boolean])[] = [
  ...[
    [16, 24],
    [24, 48],
    [48, 96],
    [96, Number.POSITIVE_INFINITY],
  ].map(([from, below]): [string, (picture: WiderPicture, face: number) => boolean] => [
    Number.isFinite(below) ? `${from} to ${below} pixels` : `${from} pixels and more`,
    ({ faces }, face) => faces[face]!.h >= from! && faces[face]!.h < below!,
  ]),
  ...labels.flatMap((label) =>
    (label === 'blur' || label === 'occlusion' ? [0, 1, 2] : [0, 1]).map(
      (value): [string, (picture: WiderPicture, face: number) => boolean] => [
        `${label} ${value}`,
        (picture, face) => picture.labels[label][face] === value,
      ],
    ),
  ),
];
