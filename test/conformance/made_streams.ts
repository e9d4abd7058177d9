import { encodeByAomenc } from '../fixtures/av1/aom_tools.ts';
import { encodeByRav1e, encodeBySvtAv1 } from '../fixtures/av1/other_encoders.ts';
import { type YuvPicture, yuvPicture } from '../fixtures/av1/yuv_pictures.ts';
import { seededBelow } from '../fixtures/random.ts';

type Below = (below: number) => number;
type Size = readonly [width: number, height: number];
type Input = readonly [picture: YuvPicture, switches: readonly string[]];

/** Streams that one encoder makes of one kind of picture, by seeds. */
interface Family {
  readonly name: string;
  readonly encode: (...input: Input) => Uint8Array;
  readonly draw: (below: Below, seed: number) => Input;
}

/** A stream that is yet to be made. */
export interface MadeStream {
  readonly family: string;
  /** Size, form and switches: enough to make it again. */
  readonly name: string;
  /** Undefined where the encoder stops at an assertion of its own: libaom 3.6 does of rare mixtures. */
  readonly obus: () => Uint8Array | undefined;
}

const LAYOUTS = ['400', '420', '422', '444'] as const;
const DEPTHS = [8, 10, 12] as const;
const EDGES: readonly Size[] = [
  ...([
    [1, 1],
    [17, 3],
    [65, 129],
    [3, 64],
    [129, 1],
    [8, 8],
    [16, 130],
    [63, 65],
    [2, 5],
    [257, 9],
  ] as const),
];

const oneOf = <T>(below: Below, values: readonly T[]): T => values[below(values.length)]!;
const yes = (below: Below, name: string) => `--${name}=${below(2)}`;

function painted(
  below: Below,
  seed: number,
  kind: 'photo' | 'screen' = 'photo',
  [width, height]: Size = [20 + below(240), 20 + below(160)],
): YuvPicture {
  return yuvPicture(kind, width, height, oneOf(below, LAYOUTS), oneOf(below, DEPTHS), seed);
}

/** How well, how fast, and in blocks of which size at most. */
const asAomenc = (below: Below) => [
  `--cq-level=${1 + below(62)}`,
  `--cpu-used=${2 + below(5)}`,
  `--sb-size=${oneOf(below, ['64', '128', 'dynamic'])}`,
];

/** Tools of libaom, each with the switches that it may have. */
const TOOLS: Readonly<Record<string, (below: Below) => readonly string[]>> = {
  lossless: () => ['--lossless=1'],
  'film grain': (below) => [`--film-grain-test=${1 + below(16)}`],
  superres: (below) => ['--superres-mode=1', `--superres-kf-denominator=${9 + below(8)}`],
  tiles: (below) => [
    ...['--sb-size=64', `--tile-columns=${below(3)}`, `--tile-rows=${below(3)}`],
    `--num-tile-groups=${1 + below(3)}`,
  ],
  matrices: (below) => ['--enable-qm=1', `--qm-min=${below(8)}`, `--qm-max=${8 + below(8)}`],
  segments: (below) => [`--aq-mode=${1 + below(3)}`],
  deltas: (below) => [`--deltaq-mode=${1 + below(4)}`, yes(below, 'delta-lf-mode')],
  filters: (below) => [
    ...['enable-cdef', 'enable-restoration'].map((name) => yes(below, name)),
    `--sharpness=${below(8)}`,
  ],
  headers: (below) => [
    oneOf(below, [
      '--full-still-picture-hdr',
      '--error-resilient=1',
      '--reduced-tx-type-set=1',
      '--allintra',
    ]),
    `--cdf-update-mode=${below(3)}`,
  ],
  partitions: (below) => [
    ...['rect', 'ab', '1to4'].map((name) => yes(below, `enable-${name}-partitions`)),
    ...[`--min-partition-size=${4 << below(4)}`, `--max-partition-size=${32 << below(3)}`],
  ],
  transforms: (below) =>
    ['enable-tx64', 'enable-flip-idtx', 'enable-rect-tx'].map((name) => yes(below, name)),
  predictions: (below) =>
    ['edge-filter', 'filter', 'smooth', 'paeth', 'cfl', 'diagonal'].map((name) =>
      name === 'edge-filter' ? yes(below, 'enable-intra-edge-filter') : yes(below, `enable-${name}-intra`),
    ),
  screens: (below) => [
    '--tune-content=screen',
    ...['enable-palette', 'enable-intrabc'].map((name) => yes(below, name)),
  ],
};

const QUANTISERS = ['matrices', 'segments', 'deltas'];

const byAomenc: readonly Family[] = [
  {
    name: 'aomenc, sizes',
    encode: encodeByAomenc,
    draw: (below, seed) => [painted(below, seed, 'photo', EDGES[seed % EDGES.length]), asAomenc(below)],
  },
  ...Object.entries(TOOLS).map(([name, switches]) => ({
    name: `aomenc, ${name}`,
    encode: encodeByAomenc,
    draw: (below: Below, seed: number): Input => [
      painted(below, seed, name === 'screens' || below(4) === 0 ? 'screen' : 'photo'),
      [...asAomenc(below), ...switches(below)],
    ],
  })),
  {
    name: 'aomenc, tools mixed',
    encode: encodeByAomenc,
    draw: (below, seed) => {
      const drawn = Object.keys(TOOLS).filter(() => below(4) === 0);
      // What is lossless has one quantiser.
      const picked = drawn.filter((name) => !(drawn.includes('lossless') && QUANTISERS.includes(name)));
      const size = below(3) ? undefined : oneOf(below, EDGES);
      const picture = painted(below, seed, below(2) ? 'screen' : 'photo', size);
      return [picture, [...asAomenc(below), ...picked.flatMap((name) => TOOLS[name]!(below))]];
    },
  },
];

const bySvtAv1: Family = {
  name: 'SVT-AV1',
  encode: encodeBySvtAv1,
  draw: (below, seed) => {
    const kind = below(3) ? 'photo' : 'screen';
    const [width, height] = [64 + 2 * below(100), 64 + 2 * below(70)];
    const picture = yuvPicture(kind, width, height, '420', oneOf(below, [8, 10]), seed);
    const tools = [
      [],
      ['--film-grain', `${1 + below(50)}`],
      ['--superres-mode', '1', '--superres-kf-denom', `${9 + below(8)}`],
      ['--tile-columns', `${below(3)}`, '--tile-rows', `${below(3)}`],
      ['--enable-qm', '1', '--qm-min', `${below(9)}`],
      ['--aq-mode', '1'],
    ];
    const speed = ['--preset', `${8 + below(5)}`, '-q', `${1 + below(63)}`];
    return [picture, [...speed, '--scm', kind === 'screen' ? '1' : '2', ...oneOf(below, tools)]];
  },
};

const byRav1e: Family = {
  name: 'rav1e',
  encode: encodeByRav1e,
  draw: (below, seed) => {
    const picture = painted(below, seed, below(3) ? 'photo' : 'screen');
    const tiles = ['--tile-cols', `${1 << below(2)}`, '--tile-rows', `${1 << below(2)}`];
    const speed = ['--speed', `${6 + below(5)}`, '--quantizer', `${1 + below(255)}`];
    return [picture, [...speed, ...tiles, ...(below(2) ? ['--still-picture'] : [])]];
  },
};

/** The same streams for the same numbers. @param each how many of each family */
export function* madeStreams(each: number): Generator<MadeStream> {
  for (const { name: family, encode, draw } of [...byAomenc, bySvtAv1, byRav1e]) {
    const base = [...family].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
    for (let seed = 0; seed < each; seed++) {
      const [picture, switches] = draw(seededBelow(base + seed), seed);
      const [{ width, height }] = picture.planes as readonly [YuvPicture['planes'][number]];
      const name = `${width} × ${height} ${picture.layout} ${picture.depth}, ${switches.join(' ')}`;
      yield { family, name, obus: () => unlessAsserted(() => encode(picture, switches)) };
    }
  }
}

function unlessAsserted<T>(encode: () => T): T | undefined {
  try {
    return encode();
  } catch (error) {
    if (/Assertion/.test(String(error))) return undefined;
    throw error;
  }
}
