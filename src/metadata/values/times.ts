/**
 * A date, possibly with a time, as written by Exif and many other writers: "2024:05:31 17:02:11". Some pad
 * numbers with blanks, or not at all, or count hours to 12.
 */
const TWO = String.raw`([ \d]?\d)`;
const DATE = String.raw`^(\d{4})[:\-/.]${TWO}[:\-/.]${TWO}`;
const CLOCK =
  String.raw`(?:[ T]+?${TWO}:${TWO}(?::${TWO}(?:[.,](\d{1,9}))?)?(?:\s*([AP])\.?M\.?)?)?` +
  String.raw`\s*(Z|[+-]\d\d:?\d\d)?$`;
const LOOSE = new RegExp(DATE + CLOCK, 'i');
/** A year, or a year and a month, as XMP allows. */
const SHORT = /^\d{4}(?:-\d\d)?$/;
/** IPTC: CCYYMMDD, and HHMMSS with an offset (IIM 4.2, 2:55 and 2:60). */
const DIGITS = /^(\d{4})(\d\d)(\d\d)(?: (\d\d)(\d\d)(\d\d)?([+-]\d{4})?)?$/;

/**
 * A time as ISO 8601, as far as it is known: "2024-05-31T17:02:11.25+02:00", "2024-05-31"; null for anything
 * else, such as the zeros and blanks that cameras without a clock write.
 * @param fraction digits after the seconds, if stored separately
 * @param offset from UTC, "+02:00", if stored separately
 */
export function isoTime(text: string, fraction = '', offset = ''): string | null {
  const trimmed = text.trim();
  if (SHORT.test(trimmed)) return trimmed.startsWith('0000') ? null : trimmed;
  const match = LOOSE.exec(trimmed);
  if (match) {
    const [year, month, day, hour, minutes, seconds] = match.slice(1, 7).map(two);
    const [digits, half, zone] = match.slice(7);
    const hours = half === undefined ? hour : hourOfDay(Number(hour), half);
    if (hours === null) return null;
    return joined(year!, month!, day!, hours, minutes, seconds, digits ?? fraction, zone ?? offset);
  }
  const packed = DIGITS.exec(trimmed);
  if (packed === null) return null;
  const [, year, month, day, hours, minutes, seconds, zone] = packed;
  return joined(year!, month!, day!, hours, minutes, seconds, fraction, zone ?? offset);
}

/** A number of at least two digits. */
const two = (text: string | undefined): string | undefined => text?.trim().padStart(2, '0');

/** The hour of 24 for one of 12 before (A) or after (P) noon; null if it is none of 12. */
function hourOfDay(hour: number, half: string): string | null {
  if (hour < 1 || hour > 12) return null;
  return String((hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)).padStart(2, '0');
}

function joined(
  year: string,
  month: string,
  day: string,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction: string,
  zone: string,
): string | null {
  const inRange = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  if (!inRange || year === '0000') return null;
  const date = `${year}-${month}-${day}`;
  if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59) return date;
  const digits = /^\d+$/.test(fraction.trim()) && seconds !== undefined ? `.${fraction.trim()}` : '';
  const offset = /^(?:Z|[+-]\d\d:?\d\d)$/.test(zone.trim())
    ? zone.trim().replace(/^(.\d\d)(\d\d)$/, '$1:$2')
    : '';
  return `${date}T${hours}:${minutes}:${seconds ?? '00'}${digits}${offset}`;
}
