/** A date, possibly with a time, as written by Exif and many other writers: "2024:05:31 17:02:11". */
const DATE = String.raw`^(\d{4})[:\-/](\d\d)[:\-/](\d\d)`;
const CLOCK = String.raw`(?:[ T]+(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$`;
const LOOSE = new RegExp(DATE + CLOCK);
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
    const [, year, month, day, hours, minutes, seconds, digits, zone] = match;
    return joined(year!, month!, day!, hours, minutes, seconds, digits ?? fraction, zone ?? offset);
  }
  const packed = DIGITS.exec(trimmed);
  if (packed === null) return null;
  const [, year, month, day, hours, minutes, seconds, zone] = packed;
  return joined(year!, month!, day!, hours, minutes, seconds, fraction, zone ?? offset);
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
