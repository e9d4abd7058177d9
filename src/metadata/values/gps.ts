import type { Directory, Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';
import {
  type Axis,
  type Coordinate,
  coordinateOf,
  LATITUDE,
  LONGITUDE,
  sexagesimal,
  writtenDegrees,
} from './coordinates.ts';
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

/** Types of characters, TIFF 6.0 p. 15: programs that write text use ASCII, or undefined bytes. */
const TEXT_TYPES: ReadonlySet<number> = new Set([1, 2, 7]);

/** Reads a GPS directory: where the camera was, and where it pointed. */
export function readGps(tiff: Tiff, { fields }: Directory, draft: ValuesDraft): void {
  const number = (tag: number, index = 0) => {
    const entry = fields.get(tag);
    return entry ? tiff.value(entry, index) : Number.NaN;
  };
  const text = (tag: number) => shortText(tiff, fields.get(tag));
  const coordinate = (tag: number, refTag: number, axis: Axis) =>
    storedCoordinate(tiff, fields.get(tag), text(refTag), axis);
  const altitude = number(Gps.Altitude) * (number(Gps.AltitudeRef) % 2 === 1 ? -1 : 1);
  const time = fixTime(
    text(Gps.DateStamp),
    [0, 1, 2].map((index) => number(Gps.TimeStamp, index)),
  );
  draft.position(
    {
      kind: 'camera',
      ...finite('altitude', altitude),
      ...finite('direction', number(Gps.ImgDirection)),
      ...finite('accuracy', number(Gps.HPositioningError)),
      ...(time !== '' && { time }),
      block: 'gps',
      field: fields.has(Gps.Latitude) ? 'GPSLatitude' : 'GPSInfo',
    },
    coordinate(Gps.Latitude, Gps.LatitudeRef, LATITUDE),
    coordinate(Gps.Longitude, Gps.LongitudeRef, LONGITUDE),
  );
  draft.position(
    { kind: 'shown', block: 'gps', field: 'GPSDestLatitude' },
    coordinate(Gps.DestLatitude, Gps.DestLatitudeRef, LATITUDE),
    coordinate(Gps.DestLongitude, Gps.DestLongitudeRef, LONGITUDE),
  );
  const area = fields.get(Gps.AreaInformation);
  if (area)
    draft.add('places', 'area', fieldCoded(tiff, area), { block: 'gps', field: 'GPSAreaInformation' });
}

/**
 * A coordinate of three rationals (CIPA DC-008 §4.6.7.1), of numbers of another type, or, as some programs
 * write it, of text. Cameras without a fix write 0/0, or zeros and no hemisphere: then none is stated.
 */
function storedCoordinate(tiff: Tiff, entry: Entry | undefined, reference: string, axis: Axis): Coordinate {
  if (entry === undefined || entry.count === 0) return null;
  if (TEXT_TYPES.has(entry.type)) {
    const text = shortText(tiff, entry);
    if (text.trim() === '') return null;
    const written = writtenDegrees(text);
    return written === null ? Number.NaN : coordinateOf(written, reference, axis, false);
  }
  const numbers: number[] = [];
  for (let index = 0; index < Math.min(entry.count, 3); index++) {
    const isUnknown = entry.bytes >= 8 && isUndefined(tiff, entry, index);
    // degrees that are not known are none; minutes and seconds may be missing
    if (isUnknown && index === 0) return null;
    numbers.push(isUnknown ? 0 : tiff.value(entry, index));
  }
  const isBlank = numbers.every((value) => value === 0) && /^\s*$/.test(reference);
  return isBlank ? null : coordinateOf({ degrees: sexagesimal(numbers), letter: '' }, reference, axis, false);
}

/** Whether a value is 0/0. */
function isUndefined({ window }: Tiff, { type, at }: Entry, index: number): boolean {
  const isRational = type === 5 || type === 10;
  return isRational && window.u32(at + 8 * index) === 0 && window.u32(at + 8 * index + 4) === 0;
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
