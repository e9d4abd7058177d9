import type { CodePoints } from '../../codecs/types.ts';
import type { LightCurve } from '../../core/kernels/colour.ts';
import type { Conversion, Samples } from './conversion.ts';
import { readCurve } from './curves.ts';
import {
  colorants,
  hideTags,
  type IccProfile,
  ProfileDefect,
  readProfile,
  signature,
  type Tag,
} from './icc.ts';
import { profileName } from './icc_text.ts';
import { FROM_CONNECTION_SPACE, multiply, PRIMARIES_BY_CODE } from './primaries.ts';
import { isTransferCode } from './transfer.ts';

/** Profile classes that describe no image: device links, abstract effects, named colours. */
const NO_PICTURE: ReadonlySet<string> = new Set(['link', 'abst', 'nmcl']);
/** Tables from device to connection space that LittleCMS would use for relative colorimetric rendering. */
const TABLES = ['A2B1', 'A2B0'];
/** The table back, from which it learns how dark black is on paper. */
const TABLE_BACK = 'B2A0';
/**
 * Most values of a table: 23 points along each of four inks, the finest in use, are 840,000. LittleCMS reads
 * a table in one piece, a million values in 15 to 40 ms.
 */
const MAX_TABLE_VALUES = 900_000;

const SPACES: Readonly<Record<string, Samples>> = { GRAY: 'grey', RGB: 'rgb', CMYK: 'cmyk' };
const KINDS: Readonly<Record<Samples, string>> = { grey: 'grey', rgb: 'RGB', cmyk: 'CMYK' };

/**
 * Reads an ICC profile's conversion for samples of this kind; relative colorimetric.
 * @throws ProfileDefect when it can't be used for them
 */
export function profileColour(bytes: Uint8Array, samples: Samples): { name: string; conversion: Conversion } {
  const profile = readProfile(bytes);
  const name = profileName(profile) || 'unnamed ICC profile';
  if (NO_PICTURE.has(profile.deviceClass)) {
    throw new ProfileDefect(`is of class "${profile.deviceClass}", which describes no picture`);
  }
  const space = SPACES[profile.colourSpace];
  const fits = space === samples || (space === 'rgb' && samples === 'grey');
  if (!fits) {
    const what = space ? `${KINDS[space]} pictures` : `colour space "${profile.colourSpace}"`;
    throw new ProfileDefect(`is for ${what} and this one is ${KINDS[samples]}`);
  }
  const table = TABLES.map((name) => profile.tags.get(name)).find((tag) => tag !== undefined);
  if (table) {
    for (const tag of [table, space === 'cmyk' && profile.tags.get(TABLE_BACK)])
      if (tag) requireReadable(profile, tag);
    return { name, conversion: { kind: 'table', profile: withoutElements(profile), samples: space } };
  }
  if (space === 'cmyk') throw new ProfileDefect('has no tables for its cmyk');
  if (space === 'grey') return { name, conversion: { kind: 'grey', curve: greyCurve(profile) } };
  const known = new Map<number, LightCurve>();
  const curves = [
    readCurve(profile, 'rTRC', known),
    readCurve(profile, 'gTRC', known),
    readCurve(profile, 'bTRC', known),
  ] as const;
  const toXyz = colorants(profile);
  if (samples === 'rgb') {
    return { name, conversion: { kind: 'matrix', curves, matrix: multiply(FROM_CONNECTION_SPACE, toXyz) } };
  }
  // Equal codes in all three channels: only their luminance counts, as a grey picture must get no tint.
  const [red, green, blue] = [toXyz[3]!, toXyz[4]!, toXyz[5]!];
  const curve: LightCurve = (code) =>
    (red * curves[0](code) + green * curves[1](code) + blue * curves[2](code)) / (red + green + blue);
  return { name, conversion: { kind: 'grey', curve } };
}

/** Bytes of a cicp tag: its type, four reserved bytes, four code points (ICC.1:2022 section 10.3). */
const CICP_BYTES = 12;

/**
 * The code points that a profile of RGB states (ICC.1:2022 section 9.2.17), with its name; browsers prefer
 * them to its curves, which can't express high dynamic range. Undefined if there are none, or such as can't
 * be used: a matrix, a narrow range, codes without a meaning.
 * @throws ProfileDefect when it is no profile
 */
export function profileCodePoints(bytes: Uint8Array): { name: string; codePoints: CodePoints } | undefined {
  const profile = readProfile(bytes);
  const { tags, view, colourSpace, deviceClass } = profile;
  const tag = tags.get('cicp');
  if (!tag || colourSpace !== 'RGB' || NO_PICTURE.has(deviceClass)) return undefined;
  if (tag.end - tag.start < CICP_BYTES || signature(view, tag.start) !== 'cicp') return undefined;
  const [primaries = 0, transfer = 0, matrix, range] = bytes.subarray(tag.start + 8, tag.end);
  if (matrix !== 0 || range !== 1 || !(primaries in PRIMARIES_BY_CODE)) return undefined;
  if (!isTransferCode(transfer)) return undefined;
  return { name: profileName(profile), codePoints: { primaries, transfer, matrix, fullRange: true } };
}

/** @throws ProfileDefect if a table declares more values than MAX_TABLE_VALUES */
function requireReadable(profile: IccProfile, tag: Tag): void {
  if (tableValues(profile, tag) > MAX_TABLE_VALUES)
    throw new ProfileDefect(`has a table of more than ${MAX_TABLE_VALUES} values`);
}

/**
 * The values that a table declares (ICC.1:2022 sections 10.10 to 10.13). LittleCMS reads as many, whatever
 * the length of the tag.
 */
function tableValues({ view }: IccProfile, { start }: Tag): number {
  const byte = (at: number) => (at < view.byteLength ? view.getUint8(at) : 0);
  const type = signature(view, start);
  const [inputs, outputs] = [byte(start + 8), byte(start + 9)];
  if (type === 'mft1' || type === 'mft2') return byte(start + 10) ** inputs * outputs;
  const isTyped = (type === 'mAB' || type === 'mBA') && start + 28 <= view.byteLength;
  if (!isTyped) return 0;
  const grid = start + view.getUint32(start + 24);
  let values = outputs;
  for (let channel = 0; channel < inputs; channel++) values *= byte(grid + channel);
  return values;
}

/**
 * A copy of the profile without its multi-process elements (ICC.1:2022 tags D2Bx and B2Dx): a hostile profile
 * may have tens of thousands, each evaluated at every point of a grid. Such profiles have the usual tables,
 * too. A copy, because the file may lie in a memory that is detached when a decoder grows it.
 */
function withoutElements(profile: IccProfile): Uint8Array {
  const copy = profile.bytes.slice();
  hideTags(copy, /^(?:D2B|B2D)\d$/);
  return copy;
}

/** Grey profiles lead to luminance, or to lightness where their connection space is Lab. */
function greyCurve(profile: IccProfile): LightCurve {
  const curve = readCurve(profile, 'kTRC', new Map());
  if (profile.connectionSpace !== 'Lab') return curve;
  // CIE 15: lightness to luminance.
  return (code) => {
    const f = (100 * curve(code) + 16) / 116;
    return f > 6 / 29 ? f ** 3 : (f - 4 / 29) * 3 * (6 / 29) ** 2;
  };
}
