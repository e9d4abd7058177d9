import { av1Facts } from '../../src/core/av1/picture.ts';
import { Fault } from '../../src/faults.ts';
import { decodeByAomdec, decodeByDav1d } from '../fixtures/av1/aom_tools.ts';
import { readAv1 } from '../fixtures/av1/av1_reader.ts';
import { planeDifference, type YuvPlane } from '../fixtures/av1/yuv_pictures.ts';

/** What became of one stream. */
export interface Verdict {
  readonly kind: 'exact' | 'refused' | 'different';
  /** Which oracle it is exact by, why it was refused, or where it differs. */
  readonly why: string;
}

/**
 * Decodes a stream here and by dav1d, and compares every sample of its first picture. Where they differ
 * libaom decides: dav1d 1.0 rounds where superres of chroma begins unlike the specification (7.16).
 * @param obus of a stream or of an image item
 * @param read what is tried
 */
export function verdictOf(obus: Uint8Array, read = (data: Uint8Array) => readAv1(data)): Verdict {
  // Programs expect a temporal unit, which the items of a file need not begin.
  const unit = obus[0] === 0x12 ? obus : Uint8Array.from([0x12, 0x00, ...obus]);
  let planes: YuvPlane[];
  try {
    planes = read(obus);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return refusal(fault, unit);
  }
  const form = { depth: av1Facts(obus).depth, planes };
  const differences: string[] = [];
  for (const [name, decode] of ORACLES) {
    const difference = differenceFrom(planes, () => decode(unit, form));
    if (difference === undefined) return { kind: 'exact', why: name };
    differences.push(`${name}: ${difference}`);
  }
  return { kind: 'different', why: differences.join('; ') };
}

const ORACLES = [
  ['dav1d', (unit, form) => decodeByDav1d(unit, form, ['--alllayers', '0'])],
  ['libaom', decodeByAomdec],
] satisfies readonly (readonly [string, typeof decodeByAomdec])[];

function differenceFrom(planes: readonly YuvPlane[], decode: () => YuvPlane[]): string | undefined {
  try {
    return planeDifference(planes, decode());
  } catch (error) {
    return String(error).split('\n')[0]!;
  }
}

/**
 * What is called broken here must be so for dav1d or libaom, too (dav1d takes frames larger than their
 * sequence says, as SVT-AV1 1.4 writes some); what is not read here by design need not.
 */
function refusal({ kind, message }: Fault, unit: Uint8Array): Verdict {
  const why = message.replace(/ \(row .*/, '');
  if (kind !== 'decoding') return { kind: 'refused', why };
  const refusing = ORACLES.find(([, decode]) => {
    const error = differenceFrom([], () => decode(unit, { depth: 8, planes: [] }));
    return error !== undefined && !/ wrote /.test(error);
  });
  return refusing
    ? { kind: 'refused', why: `${why}; so says ${refusing[0]}` }
    : { kind: 'different', why: `others read what is called broken: ${why}` };
}

/** Counts verdicts by what they are of, for a table. */
export class Tally {
  readonly #rows = new Map<string, Verdict[]>();
  /** What differs, each with what it is. */
  readonly different: string[] = [];

  add(family: string, name: string, verdict: Verdict): void {
    this.#rows.set(family, [...(this.#rows.get(family) ?? []), verdict]);
    if (verdict.kind === 'different') this.different.push(`${family}: ${name}: ${verdict.why}`);
  }

  /** How many have the oracle's samples. */
  get exact(): number {
    return [...this.#rows.values()].flat().filter(({ kind }) => kind === 'exact').length;
  }

  /** Of all streams that were refused, why. */
  get refusals(): readonly string[] {
    return [...this.#rows.values()].flat().flatMap(({ kind, why }) => (kind === 'refused' ? [why] : []));
  }

  toString(): string {
    const rows = [...this.#rows].map(([family, verdicts]) => {
      const count = (kind: Verdict['kind']) => verdicts.filter((one) => one.kind === kind).length;
      const byLibaom = verdicts.filter(({ kind, why }) => kind === 'exact' && why === 'libaom').length;
      const refused = new Set(verdicts.flatMap(({ kind, why }) => (kind === 'refused' ? [why] : [])));
      const exact = `${count('exact')}${byLibaom ? ` (${byLibaom} by libaom alone)` : ''}`;
      return [family, exact, [count('refused'), ...refused].join(': '), count('different')].join(' | ');
    });
    return [
      '| streams | exact | refused | different |',
      '|---|---|---|---|',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n');
  }
}
