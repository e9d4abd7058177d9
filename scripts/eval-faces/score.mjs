/** Face heights the tables are split by, in pixels of the picture as it is: lower bounds. */
export const heights = [0, 16, 24, 32, 48, 96, 192];

/**
 * Boxes are { x, y, w, h }. A detection finds the labelled face it overlaps most, if by `leastOverlap` (intersection over
 * union) and no more confident one found it; one that finds none is false, unless it lies on a face labelled "ignore".
 * @returns for every labelled face whether it was found, and the number of false detections
 */
export function match(detections, faces, ignored, leastOverlap) {
  const found = faces.map(() => false);
  let wrong = 0;
  for (const box of detections.toSorted((a, b) => b.confidence - a.confidence)) {
    let best = -1;
    let most = leastOverlap;
    for (const [index, face] of faces.entries()) {
      const shared = found[index] ? 0 : overlap(box, face);
      if (shared >= most) {
        best = index;
        most = shared;
      }
    }
    if (best >= 0) found[best] = true;
    else if (!ignored.some((area) => overlap(box, area) > 0.3 || holdsCentre(area, box))) wrong++;
  }
  return { found, wrong };
}

/** Counts of one way of looking at one confidence: recall by face height, false detections by kind of picture. */
export class Tally {
  #all = heights.map(() => 0);
  #found = heights.map(() => 0);
  wrong = 0;
  wrongWithoutFaces = 0;
  pictures = 0;
  passes = 0;

  add({ faces, ignored, leastOverlap }, detections, passes) {
    const { found, wrong } = match(detections, faces, ignored, leastOverlap);
    for (const [index, face] of faces.entries()) {
      const bin = heights.findLastIndex((height) => face.h >= height);
      this.#all[bin]++;
      if (found[index]) this.#found[bin]++;
    }
    this.pictures++;
    this.passes += passes;
    this.wrong += wrong;
    if (faces.length === 0 && ignored.length === 0) this.wrongWithoutFaces += wrong;
  }

  /** Recall over all faces, 0 to 1. */
  get recall() {
    return sum(this.#found) / Math.max(1, sum(this.#all));
  }

  get precision() {
    return sum(this.#found) / Math.max(1, sum(this.#found) + this.wrong);
  }

  get faces() {
    return sum(this.#all);
  }

  /** One entry a height: recall, or undefined where there is no face of that height. */
  get byHeight() {
    return this.#all.map((all, bin) => (all ? { recall: this.#found[bin] / all, faces: all } : undefined));
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function overlap(a, b) {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? (w * h) / (a.w * a.h + b.w * b.h - w * h) : 0;
}

function holdsCentre(area, box) {
  const x = box.x + box.w / 2;
  const y = box.y + box.h / 2;
  return x > area.x && x < area.x + area.w && y > area.y && y < area.y + area.h;
}
