/** A coordinate as a file writes it, before it is decided whether it can be believed. */
export interface WrittenDegrees {
  /** Decimal degrees, with the sign of the first number. */
  readonly degrees: number;
  /** The hemisphere written beside the numbers: N, S, E or W; '' if there is none. */
  readonly letter: string;
}

/** One coordinate in decimal degrees: null if none is stated, NaN if it can't be read surely. */
export type Coordinate = number | null;

/** The axis of a coordinate: its letters, positive first, and its largest value. */
export interface Axis {
  readonly letters: readonly [positive: string, negative: string];
  readonly most: number;
}

export const LATITUDE: Axis = { letters: ['N', 'S'], most: 90 };
export const LONGITUDE: Axis = { letters: ['E', 'W'], most: 180 };

/** Longest text that can be a coordinate: `179 deg 59' 59.999999" West` takes 30 characters. */
const MAX_TEXT = 80;

const NUMBER = String.raw`(\d+(?:\.\d*)?|\.\d+)(?:\/(\d+))?`;
/** What stands between numbers: blanks, one mark of degrees, minutes or seconds, blanks. */
const BETWEEN = String.raw`\s*(?:deg|[\s,;:\u00b0\u00ba'\u2018\u2019\u2032])\s*`;
const HEMISPHERE = '([NSEW]|north|south|east|west)';
/** A coordinate in text; a mark may also follow its last number. */
const TEXT = new RegExp(
  String.raw`^${HEMISPHERE}?\s*([+-]?)${NUMBER}(?:${BETWEEN}${NUMBER}(?:${BETWEEN}${NUMBER})?)?` +
    String.raw`\s*(?:deg|\u00b0|\u00ba|''|\u2032\u2032|["'\u2019\u201d\u2032\u2033])?\s*${HEMISPHERE}?$`,
  'i',
);

/**
 * A coordinate written as text: "48,51.5N" and "48,51,30N" (XMP specification part 2, GPSCoordinate), decimal
 * degrees with or without a letter, `43 deg 4' 35.04" N` as exiftool prints it, and rationals ("55/1 54/1
 * 4074/100"). Null if it is none of these, or if its minutes or seconds are 60 or more. Two whole numbers
 * with a comma but without a letter are none either: "48,85" may be decimal degrees.
 */
export function writtenDegrees(text: string): WrittenDegrees | null {
  const match = text.length > MAX_TEXT ? null : TEXT.exec(text.trim());
  if (match === null) return null;
  const [, before = '', sign] = match;
  const after = match[9] ?? '';
  const numbers = [3, 5, 7]
    .filter((group) => match[group] !== undefined)
    .map((group) => Number(match[group]) / Number(match[group + 1] ?? 1));
  const letter = (before || after).charAt(0).toUpperCase();
  const isAmbiguous = letter === '' && /^[+-]?\d+,\d+$/.test(text.trim());
  if (isAmbiguous || (before !== '' && after !== '')) return null;
  const degrees = sexagesimal(numbers);
  return Number.isNaN(degrees) ? null : { degrees: sign === '-' ? -degrees : degrees, letter };
}

/**
 * Degrees, minutes and seconds as decimal degrees. NaN if minutes or seconds exceed 60 (rounding writes 60
 * itself), or if there are no degrees. Some writers of negative degrees round down and count minutes upwards:
 * -48° 51′ is -47.15°, as exiftool reads it.
 */
export function sexagesimal([degrees = Number.NaN, minutes = 0, seconds = 0]: readonly number[]): number {
  const isPlausible = Math.abs(minutes) <= 60 && Math.abs(seconds) <= 60;
  return isPlausible ? degrees + minutes / 60 + seconds / 3600 : Number.NaN;
}

/**
 * The coordinate that is stated, in decimal degrees, north and east positive; NaN if it contradicts its
 * hemisphere or is not on earth.
 * @param reference the hemisphere as stored apart; '' if it is not
 * @param signed whether the sign tells the hemisphere if no letter does, as in XMP; otherwise such a
 * coordinate is NaN
 */
export function coordinateOf(
  { degrees, letter }: WrittenDegrees,
  reference: string,
  { letters: [positive, negative], most }: Axis,
  signed: boolean,
): number {
  const stored = reference.trim().charAt(0).toUpperCase();
  const hemisphere = letter || stored;
  const contradicts = letter !== '' && stored !== '' && letter !== stored;
  if (contradicts || !(Math.abs(degrees) <= most)) return Number.NaN;
  if (hemisphere === negative) return -Math.abs(degrees);
  if (hemisphere === positive) return degrees < 0 ? Number.NaN : degrees;
  return hemisphere === '' && signed ? degrees : Number.NaN;
}
