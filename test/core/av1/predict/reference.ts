/**
 * Intra prediction of AV1 as section 7.11.2 of its specification words it: one sample after the other, from a
 * frame of numbers. Slow, and an oracle for the core's.
 */

/** One plane: rows of samples, and the last valid column and row. */
export interface Frame {
  samples: number[][];
  maxX: number;
  maxY: number;
  bitDepth: number;
}

/** What predict_intra is called with, and what the block's mode info says. */
export interface Block {
  x: number;
  y: number;
  log2W: number;
  log2H: number;
  mode: number;
  angleDelta: number;
  filterMode: number;
  haveLeft: boolean;
  haveAbove: boolean;
  haveAboveRight: boolean;
  haveBelowLeft: boolean;
  edgeFilter: boolean;
  smoothNeighbour: boolean;
}

const MODE_TO_ANGLE = [0, 90, 180, 45, 135, 113, 157, 203, 67];
/** Dr_Intra_Derivative of the degrees that modes can have. */
const DERIVATIVES: Readonly<Record<number, number>> = {
  3: 1023,
  6: 547,
  9: 372,
  14: 273,
  17: 215,
  20: 178,
  23: 151,
  26: 132,
  29: 116,
  32: 102,
  36: 90,
  39: 80,
  42: 71,
  45: 64,
  48: 57,
  51: 51,
  54: 45,
  58: 40,
  61: 35,
  64: 31,
  67: 27,
  70: 23,
  73: 19,
  76: 15,
  81: 11,
  84: 7,
  87: 3,
};

const SM_WEIGHTS: Readonly<Record<number, readonly number[]>> = {
  2: [255, 149, 85, 64],
  3: [255, 197, 146, 105, 73, 50, 37, 32],
  4: [255, 225, 196, 170, 145, 123, 102, 84, 68, 54, 43, 33, 26, 20, 17, 16],
  5: [
    255, 240, 225, 210, 196, 182, 169, 157, 145, 133, 122, 111, 101, 92, 83, 74, 66, 59, 52, 45, 39, 34, 29,
    25, 21, 17, 14, 12, 10, 9, 8, 8,
  ],
  6: [
    255, 248, 240, 233, 225, 218, 210, 203, 196, 189, 182, 176, 169, 163, 156, 150, 144, 138, 133, 127, 121,
    116, 111, 106, 101, 96, 91, 86, 82, 77, 73, 69, 65, 61, 57, 54, 50, 47, 44, 41, 38, 35, 32, 29, 27, 25,
    22, 20, 18, 16, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 4,
  ],
};

const INTRA_FILTER_TAPS = [
  [
    [-6, 10, 0, 0, 0, 12, 0],
    [-5, 2, 10, 0, 0, 9, 0],
    [-3, 1, 1, 10, 0, 7, 0],
    [-3, 1, 1, 2, 10, 5, 0],
    [-4, 6, 0, 0, 0, 2, 12],
    [-3, 2, 6, 0, 0, 2, 9],
    [-3, 2, 2, 6, 0, 2, 7],
    [-3, 1, 2, 2, 6, 3, 5],
  ],
  [
    [-10, 16, 0, 0, 0, 10, 0],
    [-6, 0, 16, 0, 0, 6, 0],
    [-4, 0, 0, 16, 0, 4, 0],
    [-2, 0, 0, 0, 16, 2, 0],
    [-10, 16, 0, 0, 0, 0, 10],
    [-6, 0, 16, 0, 0, 0, 6],
    [-4, 0, 0, 16, 0, 0, 4],
    [-2, 0, 0, 0, 16, 0, 2],
  ],
  [
    [-8, 8, 0, 0, 0, 16, 0],
    [-8, 0, 8, 0, 0, 16, 0],
    [-8, 0, 0, 8, 0, 16, 0],
    [-8, 0, 0, 0, 8, 16, 0],
    [-4, 4, 0, 0, 0, 0, 16],
    [-4, 0, 4, 0, 0, 0, 16],
    [-4, 0, 0, 4, 0, 0, 16],
    [-4, 0, 0, 0, 4, 0, 16],
  ],
  [
    [-2, 8, 0, 0, 0, 10, 0],
    [-1, 3, 8, 0, 0, 6, 0],
    [-1, 2, 3, 8, 0, 4, 0],
    [0, 1, 2, 3, 8, 2, 0],
    [-1, 4, 0, 0, 0, 3, 10],
    [-1, 3, 4, 0, 0, 4, 6],
    [-1, 2, 3, 4, 0, 4, 4],
    [-1, 2, 2, 3, 4, 3, 3],
  ],
  [
    [-12, 14, 0, 0, 0, 14, 0],
    [-10, 0, 14, 0, 0, 12, 0],
    [-9, 0, 0, 14, 0, 11, 0],
    [-8, 0, 0, 0, 14, 10, 0],
    [-10, 12, 0, 0, 0, 0, 14],
    [-9, 1, 12, 0, 0, 0, 12],
    [-8, 0, 0, 12, 0, 1, 11],
    [-7, 0, 0, 1, 12, 1, 9],
  ],
];

const INTRA_EDGE_KERNEL = [
  [0, 4, 8, 4, 0],
  [0, 5, 6, 5, 0],
  [2, 4, 4, 4, 2],
];

/** An array whose indices may be negative: −16 and up. */
type Edge = Record<number, number>;

const round2 = (x: number, n: number) => Math.floor((x + 2 ** n / 2) / 2 ** n);
const clip1 = (x: number, bitDepth: number) => Math.max(0, Math.min(2 ** bitDepth - 1, x));

/** AboveRow and LeftCol, −1 to w + h − 1. */
function edges(frame: Frame, block: Block): { above: Edge; left: Edge } {
  const { samples, maxX, maxY, bitDepth } = frame;
  const { x, y, haveLeft, haveAbove } = block;
  const [w, h] = [1 << block.log2W, 1 << block.log2H];
  const at = (row: number, column: number) => samples[row]![column]!;
  const above: Edge = {};
  const left: Edge = {};
  for (let i = 0; i < w + h; i++) {
    if (!haveAbove && haveLeft) above[i] = at(y, x - 1);
    else if (!haveAbove) above[i] = 2 ** (bitDepth - 1) - 1;
    else above[i] = at(y - 1, Math.min(maxX, x + (block.haveAboveRight ? 2 * w : w) - 1, x + i));
    if (!haveLeft && haveAbove) left[i] = at(y - 1, x);
    else if (!haveLeft) left[i] = 2 ** (bitDepth - 1) + 1;
    else left[i] = at(Math.min(maxY, y + (block.haveBelowLeft ? 2 * h : h) - 1, y + i), x - 1);
  }
  if (haveAbove && haveLeft) above[-1] = at(y - 1, x - 1);
  else if (haveAbove) above[-1] = at(y - 1, x);
  else if (haveLeft) above[-1] = at(y, x - 1);
  else above[-1] = 2 ** (bitDepth - 1);
  left[-1] = above[-1]!;
  return { above, left };
}

/** Rows of predicted samples. */
export function predictIntra(frame: Frame, block: Block): number[][] {
  const { above, left } = edges(frame, block);
  const [w, h] = [1 << block.log2W, 1 << block.log2H];
  const { mode } = block;
  if (block.filterMode >= 0) return recursive(above, left, w, h, block.filterMode, frame.bitDepth);
  if (mode === 0) return dc(above, left, w, h, block, frame.bitDepth);
  if (mode <= 8) return directional(above, left, w, h, frame, block);
  if (mode <= 11) return smooth(above, left, block);
  return rows(w, h, (i, j) => {
    const base = above[j]! + left[i]! - above[-1]!;
    const pLeft = Math.abs(base - left[i]!);
    const pTop = Math.abs(base - above[j]!);
    const pTopLeft = Math.abs(base - above[-1]!);
    if (pLeft <= pTop && pLeft <= pTopLeft) return left[i]!;
    return pTop <= pTopLeft ? above[j]! : above[-1]!;
  });
}

function rows(w: number, h: number, sample: (i: number, j: number) => number): number[][] {
  return Array.from({ length: h }, (_, i) => Array.from({ length: w }, (_, j) => sample(i, j)));
}

function dc(above: Edge, left: Edge, w: number, h: number, block: Block, bitDepth: number): number[][] {
  let sum = 0;
  let count = 0;
  if (block.haveLeft) {
    for (let k = 0; k < h; k++) sum += left[k]!;
    count += h;
  }
  if (block.haveAbove) {
    for (let k = 0; k < w; k++) sum += above[k]!;
    count += w;
  }
  const value = count === 0 ? 2 ** (bitDepth - 1) : Math.floor((sum + (count >> 1)) / count);
  return rows(w, h, () => value);
}

function smooth(above: Edge, left: Edge, block: Block): number[][] {
  const [w, h] = [1 << block.log2W, 1 << block.log2H];
  const [weightsX, weightsY] = [SM_WEIGHTS[block.log2W]!, SM_WEIGHTS[block.log2H]!];
  return rows(w, h, (i, j) => {
    const down = weightsY[i]! * above[j]! + (256 - weightsY[i]!) * left[h - 1]!;
    const across = weightsX[j]! * left[i]! + (256 - weightsX[j]!) * above[w - 1]!;
    if (block.mode === 9) return round2(down + across, 9);
    return round2(block.mode === 10 ? down : across, 8);
  });
}

function recursive(above: Edge, left: Edge, w: number, h: number, filterMode: number, bitDepth: number) {
  const pred = rows(w, h, () => 0);
  for (let i2 = 0; i2 < h >> 1; i2++) {
    for (let j4 = 0; j4 < w >> 2; j4++) {
      const p = Array.from({ length: 7 }, (_, i) => {
        if (i < 5) {
          if (i2 === 0) return above[(j4 << 2) + i - 1]!;
          if (j4 === 0 && i === 0) return left[(i2 << 1) - 1]!;
          return pred[(i2 << 1) - 1]![(j4 << 2) + i - 1]!;
        }
        if (j4 === 0) return left[(i2 << 1) + i - 5]!;
        return pred[(i2 << 1) + i - 5]![(j4 << 2) - 1]!;
      });
      for (let i1 = 0; i1 < 2; i1++) {
        for (let j1 = 0; j1 < 4; j1++) {
          let pr = 0;
          for (let i = 0; i < 7; i++) pr += INTRA_FILTER_TAPS[filterMode]![(i1 << 2) + j1]![i]! * p[i]!;
          const rounded = pr < 0 ? -round2(-pr, 4) : round2(pr, 4);
          pred[(i2 << 1) + i1]![(j4 << 2) + j1] = clip1(rounded, bitDepth);
        }
      }
    }
  }
  return pred;
}

function strengthOf(w: number, h: number, filterType: boolean, delta: number): number {
  const d = Math.abs(delta);
  const blkWh = w + h;
  let strength = 0;
  if (!filterType) {
    if (blkWh <= 8) {
      if (d >= 56) strength = 1;
    } else if (blkWh <= 12) {
      if (d >= 40) strength = 1;
    } else if (blkWh <= 16) {
      if (d >= 40) strength = 1;
    } else if (blkWh <= 24) {
      if (d >= 8) strength = 1;
      if (d >= 16) strength = 2;
      if (d >= 32) strength = 3;
    } else if (blkWh <= 32) {
      strength = 1;
      if (d >= 4) strength = 2;
      if (d >= 32) strength = 3;
    } else {
      strength = 3;
    }
  } else if (blkWh <= 8) {
    if (d >= 40) strength = 1;
    if (d >= 64) strength = 2;
  } else if (blkWh <= 16) {
    if (d >= 20) strength = 1;
    if (d >= 48) strength = 2;
  } else if (blkWh <= 24) {
    if (d >= 4) strength = 3;
  } else {
    strength = 3;
  }
  return strength;
}

function filterEdge(buf: Edge, sz: number, strength: number): void {
  if (strength === 0) return;
  const edge = Array.from({ length: sz }, (_, i) => buf[i - 1]!);
  for (let i = 1; i < sz; i++) {
    let s = 0;
    for (let j = 0; j < 5; j++) {
      const k = Math.max(0, Math.min(sz - 1, i - 2 + j));
      s += INTRA_EDGE_KERNEL[strength - 1]![j]! * edge[k]!;
    }
    buf[i - 1] = (s + 8) >> 4;
  }
}

function usesUpsampling(w: number, h: number, filterType: boolean, delta: number): boolean {
  const d = Math.abs(delta);
  if (d <= 0 || d >= 40) return false;
  return w + h <= (filterType ? 8 : 16);
}

function upsample(buf: Edge, numPx: number, bitDepth: number): void {
  const dup = [buf[-1]!];
  for (let i = -1; i < numPx; i++) dup[i + 2] = buf[i]!;
  dup[numPx + 2] = buf[numPx - 1]!;
  buf[-2] = dup[0]!;
  for (let i = 0; i < numPx; i++) {
    const s = -dup[i]! + 9 * dup[i + 1]! + 9 * dup[i + 2]! - dup[i + 3]!;
    buf[2 * i - 1] = clip1(round2(s, 4), bitDepth);
    buf[2 * i] = dup[i + 2]!;
  }
}

function directional(above: Edge, left: Edge, w: number, h: number, frame: Frame, block: Block): number[][] {
  const pAngle = MODE_TO_ANGLE[block.mode]! + block.angleDelta * 3;
  let [upsampleAbove, upsampleLeft] = [0, 0];
  if (block.edgeFilter) {
    const filterType = block.smoothNeighbour;
    if (pAngle !== 90 && pAngle !== 180) {
      if (pAngle > 90 && pAngle < 180 && w + h >= 24) {
        const s = left[0]! * 5 + above[-1]! * 6 + above[0]! * 5;
        left[-1] = round2(s, 4);
        above[-1] = left[-1]!;
      }
      if (block.haveAbove) {
        const numPx = Math.min(w, frame.maxX - block.x + 1) + (pAngle < 90 ? h : 0) + 1;
        filterEdge(above, numPx, strengthOf(w, h, filterType, pAngle - 90));
      }
      if (block.haveLeft) {
        const numPx = Math.min(h, frame.maxY - block.y + 1) + (pAngle > 180 ? w : 0) + 1;
        filterEdge(left, numPx, strengthOf(w, h, filterType, pAngle - 180));
      }
    }
    if (usesUpsampling(w, h, filterType, pAngle - 90)) {
      upsampleAbove = 1;
      upsample(above, w + (pAngle < 90 ? h : 0), frame.bitDepth);
    }
    if (usesUpsampling(w, h, filterType, pAngle - 180)) {
      upsampleLeft = 1;
      upsample(left, h + (pAngle > 180 ? w : 0), frame.bitDepth);
    }
  }
  const dx = DERIVATIVES[pAngle < 90 ? pAngle : 180 - pAngle]!;
  const dy = DERIVATIVES[pAngle > 180 ? 270 - pAngle : pAngle - 90]!;
  const between = (edge: Edge, base: number, shift: number) => {
    const [a, b] = [edge[base], edge[base + 1]];
    if (a === undefined || (b === undefined && shift !== 0)) throw new Error(`edge has no ${base}`);
    return round2(a * (32 - shift) + (b ?? 0) * shift, 5);
  };
  return rows(w, h, (i, j) => {
    if (pAngle === 90) return above[j]!;
    if (pAngle === 180) return left[i]!;
    if (pAngle < 90) {
      const idx = (i + 1) * dx;
      const base = (idx >> (6 - upsampleAbove)) + (j << upsampleAbove);
      const shift = ((idx << upsampleAbove) >> 1) & 0x1f;
      const maxBaseX = (w + h - 1) << upsampleAbove;
      return base < maxBaseX ? between(above, base, shift) : above[maxBaseX]!;
    }
    if (pAngle > 180) {
      const idx = (j + 1) * dy;
      const base = (idx >> (6 - upsampleLeft)) + (i << upsampleLeft);
      return between(left, base, ((idx << upsampleLeft) >> 1) & 0x1f);
    }
    let idx = (j << 6) - (i + 1) * dx;
    let base = idx >> (6 - upsampleAbove);
    if (base >= -(1 << upsampleAbove)) return between(above, base, ((idx << upsampleAbove) >> 1) & 0x1f);
    idx = (i << 6) - (j + 1) * dy;
    base = idx >> (6 - upsampleLeft);
    return between(left, base, ((idx << upsampleLeft) >> 1) & 0x1f);
  });
}
