import type { Colorimetry, FileFacts, ProfileLocation } from '../../codecs/types.ts';
import type { LightCurve } from '../../core/kernels/colour.ts';
import { type Conversion, changesNothing, type Samples } from './conversion.ts';
import { ProfileDefect } from './icc.ts';
import {
  ADOBE_RGB,
  BT_709,
  FROM_CONNECTION_SPACE,
  multiply,
  P3_D65,
  PRIMARIES_BY_CODE,
  type Primaries,
  TO_BT_2020,
  toConnectionSpace,
} from './primaries.ts';
import { profileCodePoints, profileColour } from './profile_colour.ts';
import { peakOf, type ToneConversion, tonedGrey } from './tone.ts';
import { ADOBE_GAMMA, gammaLight, srgbLight, transferByCode } from './transfer.ts';

/** What the colours of a file mean. */
export interface ColourSource {
  /**
   * For people: "Display P3", "sRGB", "untagged". A profile's own name may be in any language; at most 64
   * characters.
   */
  readonly name: string;
  /** Absent: the decoded pixels are sRGB, or count as such. */
  readonly conversion?: Conversion;
  /** The decoder has converted the colours to sRGB. */
  readonly decoded?: true;
  /** What the file states that could not be used. */
  readonly note?: ColourNote;
}

/** A remark for people, and its code for programs. */
export interface ColourNote {
  readonly code: 'colour_profile_ignored' | 'colours_taken_as_srgb';
  readonly text: string;
}

const profileIgnored = (why: string): ColourNote => ({
  code: 'colour_profile_ignored',
  text: `the colour profile was ignored: ${why}`,
});

/** The facts that decide what the colours mean. */
export type ColourFacts = Pick<FileFacts, 'format' | 'colour' | 'colorimetry'>;

/** ITU-T H.273: the file does not state it. */
const UNSPECIFIED = 2;
/** MatrixCoefficients of H.273 that follow from the primaries. */
const CHROMA_DERIVED = 12;
/** Exif 2.32, tag ColorSpace; 2 is what some cameras write for Adobe RGB. */
const EXIF_SRGB = 1;
const EXIF_ADOBE_RGB = 2;
/** Gammas that mean sRGB: libpng's 5 % around 1 / 2.2. */
const SRGB_GAMMA = 1 / 2.2;
const GAMMA_TOLERANCE = 0.05;
/** No encoder writes gammas outside of these limits: images would become black or white. */
const LEAST_GAMMA = 0.1;
const MOST_GAMMA = 5;
/** Files write chromaticities with 5 decimals, while standards give these values with 2 to 4. */
const SAME_CHROMATICITY = 0.0015;

/** Gives the bytes of an embedded profile, or throws ProfileDefect. */
export type ProfileAt = (location: ProfileLocation) => Uint8Array;

/** Evaluates one kind of colour statement; undefined when the file has none. */
type Statement = (
  colorimetry: Colorimetry,
  profileAt: ProfileAt,
  samples: Samples,
) => ColourSource | undefined;

/**
 * What the file's colours mean: the first of its statements that can be used. PNG has its own order of
 * precedence (third edition, 2025, chunk precedence of colour spaces). Elsewhere a profile comes before code
 * points, as in writers and readers of AVIF, and Exif comes last.
 * @param profileAt called once, if the profile decides
 */
export function statedColour(facts: ColourFacts, profileAt: ProfileAt): ColourSource {
  if (facts.colour === 'lab') return { name: 'CIE L*a*b*', decoded: true };
  const samples: Samples =
    facts.colour === 'cmyk' || facts.colour === 'ycck' ? 'cmyk' : facts.colour === 'grey' ? 'grey' : 'rgb';
  const colorimetry = facts.colorimetry ?? {};
  const order =
    facts.format === 'png'
      ? [pngCodePoints, byProfile, bySrgbChunk, byGamma, byExif]
      : [byProfile, byCodePoints, byExif];
  const { damaged } = colorimetry;
  let note = damaged ? profileIgnored(`the checksum of the file's ${damaged} chunk is wrong`) : undefined;
  for (const statement of order) {
    try {
      const source = statement(colorimetry, profileAt, samples);
      if (source) return { ...withoutIdentity(source), ...(note && { note }) };
    } catch (error) {
      if (!(error instanceof ProfileDefect)) throw error;
      note ??= profileIgnored(`it ${error.message}`);
    }
  }
  return { name: samples === 'cmyk' ? 'untagged CMYK' : 'untagged', ...(note && { note }) };
}

/** The source to report if its conversion could not be used. */
export function unconverted({ name, conversion, ...rest }: ColourSource): ColourSource {
  if (!conversion) return { name, ...rest };
  return {
    name: 'untagged',
    note: profileIgnored(`"${name}" holds tables that can't be used`),
  };
}

/** Drops a conversion that would change nothing. */
function withoutIdentity(source: ColourSource): ColourSource {
  const { conversion, ...rest } = source;
  return conversion && !changesNothing(conversion) ? source : rest;
}

/** By its code points if it states any, else by its curves or tables. */
const byProfile: Statement = (colorimetry, profileAt, samples) => {
  if (!colorimetry.icc) return undefined;
  const profile = profileAt(colorimetry.icc);
  const stated = samples === 'rgb' ? profileCodePoints(profile) : undefined;
  if (!stated) return profileColour(profile, samples);
  const source = codePointColour({ ...colorimetry, codePoints: stated.codePoints }, samples);
  return source && { ...source, name: stated.name || source.name };
};

/**
 * Browsers have no colour space whose matrix is derived from its primaries: they show such a file's codes as
 * if it stated no colours. Authors make pictures look right in browsers, so this does the same.
 */
const byCodePoints: Statement = (colorimetry, _, samples) => {
  const source = codePointColour(colorimetry, samples);
  if (!source?.conversion || changesNothing(source.conversion)) return source;
  if (colorimetry.codePoints?.matrix !== CHROMA_DERIVED) return source;
  const text = 'its colours were taken as sRGB, as browsers do where a matrix is derived from the primaries';
  return { name: source.name, note: { code: 'colours_taken_as_srgb', text } };
};

/**
 * PNG stores its samples as RGB or grey, so the matrix is 0; but the range may be narrow (section 11.3.2.6).
 */
const pngCodePoints: Statement = (colorimetry, _, samples) => {
  const { codePoints } = colorimetry;
  if (codePoints?.matrix !== 0) return undefined;
  return codePointColour(colorimetry, samples, codePoints.fullRange ? undefined : widened);
};

/** ITU-T H.273: 8-bit codes 16 to 235 to 0 to 1. */
const widened = (code: number) => Math.max(0, Math.min(1, (code * 255 - 16) / 219));

function codePointColour(
  { codePoints, peakLuminance }: Colorimetry,
  samples: Samples,
  before?: LightCurve,
): ColourSource | undefined {
  if (!codePoints || samples === 'cmyk') return undefined;
  if (codePoints.primaries === UNSPECIFIED && codePoints.transfer === UNSPECIFIED) return undefined;
  const primaries = PRIMARIES_BY_CODE[codePoints.primaries] ?? BT_709;
  const { name, light, range } = transferByCode(codePoints.transfer);
  const curve: LightCurve = before ? (code) => light(before(code)) : light;
  const conversion = range
    ? toneConversion(primaries, { curve, light: range, peak: peakOf(peakLuminance) }, samples)
    : conversionFrom(primaries, curve, samples)!;
  return { name: spaceName(primaries, name), conversion };
}

/** The tone conversion for primaries that span a space. */
function toneConversion(
  primaries: Primaries,
  tone: Pick<ToneConversion, 'curve' | 'light' | 'peak'>,
  samples: Samples,
): Conversion {
  if (samples === 'grey') return { kind: 'grey', curve: tonedGrey(tone) };
  const toXyz = toConnectionSpace(primaries)!;
  const toSrgb = multiply(FROM_CONNECTION_SPACE, toXyz);
  return { kind: 'tone', ...tone, toBt2020: multiply(TO_BT_2020, toXyz), toSrgb };
}

/** "sRGB", "Display P3", "BT.2020 PQ". */
function spaceName({ name }: Primaries, transfer: string): string {
  if (transfer !== 'sRGB') return `${name} ${transfer}`;
  return name === BT_709.name ? 'sRGB' : name;
}

/** @returns undefined when the primaries span no space */
function conversionFrom(primaries: Primaries, curve: LightCurve, samples: Samples): Conversion | undefined {
  const toXyz = toConnectionSpace(primaries);
  if (!toXyz) return undefined;
  if (samples === 'grey') return { kind: 'grey', curve };
  return { kind: 'matrix', curves: [curve, curve, curve], matrix: multiply(FROM_CONNECTION_SPACE, toXyz) };
}

const bySrgbChunk: Statement = ({ srgbIntent }) => (srgbIntent === undefined ? undefined : { name: 'sRGB' });

/** PNG's gAMA and cHRM chunks: each may come without the other. */
const byGamma: Statement = ({ gamma, chromaticities }, _, samples) => {
  if (gamma === undefined && !chromaticities) return undefined;
  const given: Primaries = chromaticities
    ? knownPrimaries({ name: 'custom primaries', ...chromaticities })
    : BT_709;
  const isSrgb = gamma === undefined || Math.abs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE;
  const sensible = isSrgb || (gamma >= LEAST_GAMMA && gamma <= MOST_GAMMA);
  const curve = isSrgb ? srgbLight : gammaLight(1 / gamma);
  const conversion = sensible && conversionFrom(given, curve, samples);
  if (!conversion) throw new ProfileDefect('is of chromaticities or a gamma that no display has');
  const transfer = isSrgb ? 'sRGB' : `gamma ${(1 / gamma).toFixed(1)}`;
  const adobe = given === ADOBE_RGB && transfer === 'sRGB';
  if (adobe)
    return { name: given.name, conversion: conversionFrom(given, gammaLight(ADOBE_GAMMA), samples)! };
  return { name: spaceName(given, transfer), conversion };
};

/** The known primaries that these equal, apart from rounding; otherwise these. */
function knownPrimaries(given: Primaries): Primaries {
  const near = (known: Primaries) =>
    (['white', 'red', 'green', 'blue'] as const).every((point) =>
      [0, 1].every((axis) => Math.abs(known[point][axis]! - given[point][axis]!) < SAME_CHROMATICITY),
    );
  return [BT_709, P3_D65, ADOBE_RGB].find(near) ?? given;
}

/** Exif states sRGB or, by DCF's interoperability index R03, Adobe RGB. */
const byExif: Statement = ({ exifColorSpace, interopIndex }, _, samples) => {
  if (samples !== 'rgb') return undefined;
  if (exifColorSpace === EXIF_SRGB) return { name: 'sRGB' };
  if (exifColorSpace !== EXIF_ADOBE_RGB && interopIndex !== 'R03') return undefined;
  return {
    name: ADOBE_RGB.name,
    conversion: conversionFrom(ADOBE_RGB, gammaLight(ADOBE_GAMMA), samples)!,
  };
};
