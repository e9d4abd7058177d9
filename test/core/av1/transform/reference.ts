/**
 * The inverse transforms of AV1 as section 7.13 of its specification words them: one value after the other,
 * in numbers that never overflow. Slow, and an oracle for the core's.
 */

/** Log2 of width and height by TxSize. */
export const TX_SIZES: readonly (readonly [name: string, log2W: number, log2H: number])[] = [
  ['4x4', 2, 2],
  ['8x8', 3, 3],
  ['16x16', 4, 4],
  ['32x32', 5, 5],
  ['64x64', 6, 6],
  ['4x8', 2, 3],
  ['8x4', 3, 2],
  ['8x16', 3, 4],
  ['16x8', 4, 3],
  ['16x32', 4, 5],
  ['32x16', 5, 4],
  ['32x64', 5, 6],
  ['64x32', 6, 5],
  ['4x16', 2, 4],
  ['16x4', 4, 2],
  ['8x32', 3, 5],
  ['32x8', 5, 3],
  ['16x64', 4, 6],
  ['64x16', 6, 4],
];

/** By PlaneTxType: what columns and rows are. */
export const TX_TYPES = [
  ['DCT', 'DCT'],
  ['ADST', 'DCT'],
  ['DCT', 'ADST'],
  ['ADST', 'ADST'],
  ['FLIPADST', 'DCT'],
  ['DCT', 'FLIPADST'],
  ['FLIPADST', 'FLIPADST'],
  ['ADST', 'FLIPADST'],
  ['FLIPADST', 'ADST'],
  ['IDTX', 'IDTX'],
  ['DCT', 'IDTX'],
  ['IDTX', 'DCT'],
  ['ADST', 'IDTX'],
  ['IDTX', 'ADST'],
  ['FLIPADST', 'IDTX'],
  ['IDTX', 'FLIPADST'],
] as const;

const ROW_SHIFT = [0, 1, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2];

const round2 = (x: number, n: number) => Math.floor((x + 2 ** n / 2) / 2 ** n);
const clip3 = (low: number, high: number, x: number) => Math.max(low, Math.min(high, x));
const cos128 = (angle: number) => Math.round(4096 * Math.cos((angle * Math.PI) / 128));
const sin128 = (angle: number) => Math.round(4096 * Math.sin((angle * Math.PI) / 128));

function brev(bits: number, x: number): number {
  let t = 0;
  for (let i = 0; i < bits; i++) t += ((x >> i) & 1) << (bits - 1 - i);
  return t;
}

/** The array T of a one-dimensional transform, and whether a value broke a demand on streams. */
class Line {
  T: number[];
  readonly r: number;
  isConformant = true;
  constructor(T: number[], r: number) {
    this.T = T;
    this.r = r;
  }

  demand(x: number, bits: number): number {
    if (x < -(2 ** (bits - 1)) || x >= 2 ** (bits - 1)) this.isConformant = false;
    return x;
  }

  B(a: number, b: number, angle: number, flip: number | boolean): void {
    const x = this.T[a]! * cos128(angle) - this.T[b]! * sin128(angle);
    const y = this.T[a]! * sin128(angle) + this.T[b]! * cos128(angle);
    const [first, second] = [this.demand(round2(x, 12), this.r), this.demand(round2(y, 12), this.r)];
    this.T[a] = flip ? second : first;
    this.T[b] = flip ? first : second;
  }

  H(a: number, b: number, flip: number | boolean): void {
    if (flip) [a, b] = [b, a];
    const [x, y] = [this.T[a]!, this.T[b]!];
    const most = 2 ** (this.r - 1) - 1;
    this.T[a] = clip3(-most - 1, most, x + y);
    this.T[b] = clip3(-most - 1, most, x - y);
  }

  /** Calls `step` for all i below `count`. */
  each(count: number, step: (i: number) => void): void {
    for (let i = 0; i < count; i++) step(i);
  }

  dct(n: number): void {
    const copy = this.T.slice();
    this.T = copy.map((_, i) => copy[brev(n, i)]!);
    const { each } = this;
    const B = this.B.bind(this);
    const H = this.H.bind(this);
    if (n === 6) each(16, (i) => B(32 + i, 63 - i, 63 - 4 * brev(4, i), 0));
    if (n >= 5) each(8, (i) => B(16 + i, 31 - i, 6 + (brev(3, 7 - i) << 3), 0));
    if (n === 6) each(16, (i) => H(32 + i * 2, 33 + i * 2, i & 1));
    if (n >= 4) each(4, (i) => B(8 + i, 15 - i, 12 + (brev(2, 3 - i) << 4), 0));
    if (n >= 5) each(8, (i) => H(16 + 2 * i, 17 + 2 * i, i & 1));
    if (n === 6) {
      each(4, (i) => each(2, (j) => B(62 - i * 4 - j, 33 + i * 4 + j, 60 - 16 * brev(2, i) + 64 * j, 1)));
    }
    if (n >= 3) each(2, (i) => B(4 + i, 7 - i, 56 - 32 * i, 0));
    if (n >= 4) each(4, (i) => H(8 + 2 * i, 9 + 2 * i, i & 1));
    if (n >= 5) {
      each(2, (i) => each(2, (j) => B(30 - 4 * i - j, 17 + 4 * i + j, 24 + (j << 6) + ((1 - i) << 5), 1)));
    }
    if (n === 6) each(8, (i) => each(2, (j) => H(32 + i * 4 + j, 35 + i * 4 - j, i & 1)));
    each(2, (i) => B(2 * i, 2 * i + 1, 32 + 16 * i, 1 - i));
    if (n >= 3) each(2, (i) => H(4 + 2 * i, 5 + 2 * i, i));
    if (n >= 4) each(2, (i) => B(14 - i, 9 + i, 48 + 64 * i, 1));
    if (n >= 5) each(4, (i) => each(2, (j) => H(16 + 4 * i + j, 19 + 4 * i - j, i & 1)));
    if (n === 6) {
      each(2, (i) => each(4, (j) => B(61 - i * 8 - j, 34 + i * 8 + j, 56 - i * 32 + (j >> 1) * 64, 1)));
    }
    each(2, (i) => H(i, 3 - i, 0));
    if (n >= 3) B(6, 5, 32, 1);
    if (n >= 4) each(2, (i) => each(2, (j) => H(8 + 4 * i + j, 11 + 4 * i - j, i)));
    if (n >= 5) each(4, (i) => B(29 - i, 18 + i, 48 + (i >> 1) * 64, 1));
    if (n === 6) each(4, (i) => each(4, (j) => H(32 + 8 * i + j, 39 + 8 * i - j, i & 1)));
    if (n >= 3) each(4, (i) => H(i, 7 - i, 0));
    if (n >= 4) each(2, (i) => B(13 - i, 10 + i, 32, 1));
    if (n >= 5) each(2, (i) => each(4, (j) => H(16 + i * 8 + j, 23 + i * 8 - j, i)));
    if (n === 6) each(8, (i) => B(59 - i, 36 + i, i < 4 ? 48 : 112, 1));
    if (n >= 4) each(8, (i) => H(i, 15 - i, 0));
    if (n >= 5) each(4, (i) => B(27 - i, 20 + i, 32, 1));
    if (n === 6) {
      each(8, (i) => {
        H(32 + i, 47 - i, 0);
        H(48 + i, 63 - i, 1);
      });
    }
    if (n >= 5) each(16, (i) => H(i, 31 - i, 0));
    if (n === 6) each(8, (i) => B(55 - i, 40 + i, 32, 1));
    if (n === 6) each(32, (i) => H(i, 63 - i, 0));
  }

  adst4(): void {
    const [S1, S2, S3, S4] = [1321, 2482, 3344, 3803];
    const T = this.T as [number, number, number, number];
    const bits = this.r + 12;
    const keep = (x: number) => this.demand(x, bits);
    const a7 = this.demand(T[0] - T[2], this.r + 1);
    const b7 = this.demand(a7 + T[3], this.r);
    const s0 = keep(keep(keep(S1 * T[0]) + keep(S4 * T[2])) + keep(S2 * T[3]));
    const s1 = keep(keep(keep(S2 * T[0]) - keep(S1 * T[2])) - keep(S4 * T[3]));
    const s2 = keep(S3 * b7);
    const s3 = keep(S3 * T[1]);
    const x = [keep(s0 + s3), keep(s1 + s3), s2, keep(keep(s0 + s1) - s3)];
    this.T = x.map((value) => round2(value, 12));
  }

  adstIn(n: number): void {
    const copy = this.T.slice();
    this.T = copy.map((_, i) => copy[i & 1 ? i - 1 : (1 << n) - i - 1]!);
  }

  adstOut(n: number): void {
    const copy = this.T.slice();
    this.T = copy.map((_, i) => {
      const a = (i >> 3) & 1;
      const b = ((i >> 2) & 1) ^ ((i >> 3) & 1);
      const c = ((i >> 1) & 1) ^ ((i >> 2) & 1);
      const d = (i & 1) ^ ((i >> 1) & 1);
      const value = copy[((d << 3) | (c << 2) | (b << 1) | a) >> (4 - n)]!;
      return i & 1 ? -value : value;
    });
  }

  adst8(): void {
    const { each } = this;
    this.adstIn(3);
    each(4, (i) => this.B(2 * i, 2 * i + 1, 60 - 16 * i, 1));
    each(4, (i) => this.H(i, 4 + i, 0));
    each(2, (i) => this.B(4 + 3 * i, 5 + i, 48 - 32 * i, 1));
    each(2, (i) => each(2, (j) => this.H(4 * j + i, 2 + 4 * j + i, 0)));
    each(2, (i) => this.B(2 + 4 * i, 3 + 4 * i, 32, 1));
    this.adstOut(3);
  }

  adst16(): void {
    const { each } = this;
    this.adstIn(4);
    each(8, (i) => this.B(2 * i, 2 * i + 1, 62 - 8 * i, 1));
    each(8, (i) => this.H(i, 8 + i, 0));
    each(2, (i) => {
      this.B(8 + 2 * i, 9 + 2 * i, 56 - 32 * i, 1);
      this.B(13 + 2 * i, 12 + 2 * i, 8 + 32 * i, 1);
    });
    each(4, (i) => each(2, (j) => this.H(8 * j + i, 4 + 8 * j + i, 0)));
    each(2, (i) => each(2, (j) => this.B(4 + 8 * j + 3 * i, 5 + 8 * j + i, 48 - 32 * i, 1)));
    each(2, (i) => each(4, (j) => this.H(4 * j + i, 2 + 4 * j + i, 0)));
    each(4, (i) => this.B(2 + 4 * i, 3 + 4 * i, 32, 1));
    this.adstOut(4);
  }

  identity(n: number): void {
    this.T = this.T.map((x) =>
      n === 2 ? round2(x * 5793, 12) : n === 3 ? x * 2 : n === 4 ? round2(x * 11586, 12) : x * 4,
    );
  }

  walshHadamard(shift: number): void {
    let [a, c, d, b] = this.T.map((x) => Math.floor(x / 2 ** shift)) as [number, number, number, number];
    a += c;
    d -= b;
    const e = Math.floor((a - d) / 2);
    b = e - b;
    c = e - c;
    a -= b;
    d += c;
    this.T = [a, b, c, d];
  }

  transform(kind: string, n: number): void {
    if (kind === 'DCT') this.dct(n);
    else if (kind === 'IDTX') this.identity(n);
    else if (n === 2) this.adst4();
    else if (n === 3) this.adst8();
    else this.adst16();
  }
}

/** Section 7.13.3: the residual, row after row, and whether the coefficients keep all demands on streams. */
export function inverseTransform(
  coefficients: ArrayLike<number>,
  txSize: number,
  txType: number,
  bitDepth: number,
  lossless: boolean,
): { residual: number[][]; isConformant: boolean } {
  const [, log2W, log2H] = TX_SIZES[txSize]!;
  const [w, h] = [1 << log2W, 1 << log2H];
  const [columnKind, rowKind] = TX_TYPES[txType]!;
  const colClampRange = Math.max(bitDepth + 6, 16);
  const most = 2 ** (colClampRange - 1) - 1;
  const coded = Math.min(w, 32);
  let isConformant = true;
  const residual = Array.from({ length: h }, (_, i) => {
    let T = Array.from({ length: w }, (_, j) => (i < 32 && j < 32 ? coefficients[i * coded + j]! : 0));
    if (Math.abs(log2W - log2H) === 1) T = T.map((x) => round2(x * 2896, 12));
    const line = new Line(T, bitDepth + 8);
    if (lossless) line.walshHadamard(2);
    else line.transform(rowKind, log2W);
    isConformant &&= line.isConformant;
    return line.T.map((x) => clip3(-most - 1, most, round2(x, lossless ? 0 : ROW_SHIFT[txSize]!)));
  });
  for (let j = 0; j < w; j++) {
    const line = new Line(
      residual.map((row) => row[j]!),
      colClampRange,
    );
    if (lossless) line.walshHadamard(0);
    else line.transform(columnKind, log2H);
    isConformant &&= line.isConformant;
    line.T.forEach((x, i) => {
      residual[i]![j] = round2(x, lossless ? 0 : 4);
    });
  }
  return { residual, isConformant };
}

/** Section 7.12.3, step 3: the residual turned as the type says and added to `samples`, clipped. */
export function addResidual(
  samples: number[][],
  residual: number[][],
  txType: number,
  bitDepth: number,
): number[][] {
  const [columnKind, rowKind] = TX_TYPES[txType]!;
  const h = samples.length;
  return samples.map((row, y) =>
    row.map((sample, x) => {
      const i = columnKind === 'FLIPADST' ? h - 1 - y : y;
      const j = rowKind === 'FLIPADST' ? row.length - 1 - x : x;
      return clip3(0, 2 ** bitDepth - 1, sample + residual[i]![j]!);
    }),
  );
}
