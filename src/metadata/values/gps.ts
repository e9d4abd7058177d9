import type { Directory, Tiff } from '../tiff/ifd.ts';
import { fieldCoded, shortText } from './ifd_text.ts';
import type { ValuesDraft } from './values_draft.ts';

/** Tags of the GPS directory, CIPA DC-008 §4.6.7 table 15. */
const Gps = {
  LatitudeRef: 1,
  Latitude: 2,
  LongitudeRef: 3,
  Longitude: 4,
  AltitudeRef: 5,
  Altitude: 6,
  TimeStamp: 7,
  ImgDirection: 17,
  DestLatitudeRef: 19,
  DestLatitude: 20,
  DestLongitudeRef: 21,
  DestLongitude: 22,
  AreaInformation: 28,
  DateStamp: 29,
  HPositioningError: 31,
} as const;

/** Reads a GPS directory: where the camera was, and where it pointed. */
export function readGps(tiff: Tiff, { fields }: Directory, draft: ValuesDraft): void {
  const number = (tag: number, index = 0) => {
    const entry = fields.get(tag);
    return entry ? tiff.value(entry, index) : Number.NaN;
  };
  const text = (tag: number) => shortText(tiff, fields.get(tag));
  const degrees = (tag: number, refTag: number, negative: string) => {
    // minutes and seconds may be missing, or 0/0
    const value = number(tag) + (number(tag, 1) || 0) / 60 + (number(tag, 2) || 0) / 3600;
    return text(refTag).trim().toUpperCase().startsWith(negative) ? -value : value;
  };
  const altitude = number(Gps.Altitude) * (number(Gps.AltitudeRef) % 2 === 1 ? -1 : 1);
  const time = fixTime(
    text(Gps.DateStamp),
    [0, 1, 2].map((index) => number(Gps.TimeStamp, index)),
  );
  const camera = {
    kind: 'camera' as const,
    latitude: degrees(Gps.Latitude, Gps.LatitudeRef, 'S'),
    longitude: degrees(Gps.Longitude, Gps.LongitudeRef, 'W'),
    ...finite('altitude', altitude),
    ...finite('direction', number(Gps.ImgDirection)),
    ...finite('accuracy', number(Gps.HPositioningError)),
    ...(time !== '' && { time }),
    block: 'gps' as const,
    field: Number.isNaN(number(Gps.Latitude)) ? 'GPSInfo' : 'GPSLatitude',
  };
  draft.position(camera);
  draft.position({
    kind: 'shown',
    latitude: degrees(Gps.DestLatitude, Gps.DestLatitudeRef, 'S'),
    longitude: degrees(Gps.DestLongitude, Gps.DestLongitudeRef, 'W'),
    block: 'gps',
    field: 'GPSDestLatitude',
  });
  const area = fields.get(Gps.AreaInformation);
  if (area)
    draft.add('places', 'area', fieldCoded(tiff, area), { block: 'gps', field: 'GPSAreaInformation' });
}

/** A member of a position, if its value is a finite number; otherwise an empty object. */
export function finite<N extends 'altitude' | 'direction' | 'accuracy'>(name: N, value: number) {
  return Number.isFinite(value) ? ({ [name]: value } as Record<N, number>) : {};
}

/** "2024:05:31" and hours, minutes, seconds as one time in UTC, as far as they are known. */
function fixTime(date: string, clock: readonly number[]): string {
  const day = fixDay(date);
  const known = clock.every((value) => value >= 0 && value < 61);
  const [hours, minutes, seconds] = clock.map((value) => Math.floor(value));
  const two = (value: number | undefined) => String(value).padStart(2, '0');
  const time = known && hours! < 24 ? `${two(hours)}:${two(minutes)}:${two(seconds)}Z` : '';
  return day === '' ? time : `${day}${time && `T${time}`}`;
}

/**
 * A date stamp as ISO 8601, '' if there is none. iOS 8 wrote the day of the year as the last part:
 * "2014:09:259".
 */
function fixDay(date: string): string {
  const match = /^(\d{4})[:\-/](\d\d)[:\-/](\d{2,3})(?!\d)/.exec(date);
  if (match === null || match[1] === '0000') return '';
  const [, year, month, day] = match;
  if (day!.length === 2) return `${year}-${month}-${day}`;
  const inYear = Number(day) >= 1 && Number(day) <= 366;
  return inYear ? new Date(Date.UTC(Number(year), 0, Number(day))).toISOString().slice(0, 10) : '';
}
