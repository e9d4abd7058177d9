/** Columns [start, end) of one row of a map, all at or above the threshold. */
interface Run {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Pixels of a map that are connected by their sides. */
export interface Component {
  /** From top to bottom. */
  readonly runs: readonly Run[];
  readonly pixels: number;
  /** Mean of its values. */
  readonly mean: number;
}

/**
 * The connected components of a probability map: pixels at or above the threshold, connected by a side. Takes
 * time linear in the size of the map, whatever it contains.
 * @param map row by row, from index `first` on, with `step` floats from one value to the next
 */
export function componentsOf(
  map: Float32Array,
  width: number,
  height: number,
  threshold: number,
  first = 0,
  step = 1,
): Component[] {
  const runs: Run[] = [];
  const sums: number[] = [];
  /** For each run its parent in the union-find forest; a root is its own parent. */
  const parents: number[] = [];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  let above = 0;
  for (let row = 0; row < height; row++) {
    const began = runs.length;
    let at = first + row * width * step;
    for (let x = 0; x < width; ) {
      if (!(map[at]! >= threshold)) {
        x++;
        at += step;
        continue;
      }
      const start = x;
      let sum = 0;
      for (; x < width && map[at]! >= threshold; x++, at += step) sum += map[at]!;
      const index = runs.length;
      runs.push({ row, start, end: x });
      sums.push(sum);
      parents.push(index);
      // Runs of the row above that end before this one starts can't touch this or any later run.
      while (above < began && runs[above]!.end <= start) above++;
      for (let other = above; other < began && runs[other]!.start < x; other++) {
        parents[rootOf(other)] = rootOf(index);
      }
    }
    above = began;
  }
  const parts = new Map<number, { runs: Run[]; pixels: number; sum: number }>();
  for (const [index, run] of runs.entries()) {
    const root = rootOf(index);
    const part = parts.get(root) ?? { runs: [], pixels: 0, sum: 0 };
    if (part.pixels === 0) parts.set(root, part);
    part.runs.push(run);
    part.pixels += run.end - run.start;
    part.sum += sums[index]!;
  }
  return [...parts.values()].map(({ runs, pixels, sum }) => ({ runs, pixels, mean: sum / pixels }));
}
