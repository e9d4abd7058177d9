import type { Coordinate } from './coordinates.ts';
import { MAX_TEXT_BYTES } from './text.ts';
import {
  type Area,
  type Finding,
  type Group,
  type Kind,
  MAX_CHARACTERS,
  MAX_LIST,
  type Position,
  type Provenance,
  type Source,
  type Thumbnail,
  type Values,
} from './values.ts';

/**
 * Most characters of all values together: 100 values of each of 50 kinds could be 10 million, which no real
 * file needs.
 */
export const MAX_ALL_CHARACTERS = 400_000;
/**
 * Most structures read of one file, of any kind: tags and attributes of XMP, datasets of IPTC, fields of
 * Exif, boxes of C2PA. The scan skips some of these, so the limit of reads alone would not keep the time near
 * the scan's. A photograph has a few hundred.
 */
export const MAX_STRUCTURES = 65_536;
/** Most bytes of XMP in UTF-16 that are recoded. */
const MAX_RECODED = 4 << 20;
/** Most bytes read of Exif fields, which may all refer to the same bytes: four per character. */
const MAX_FIELD_BYTES = 4 * MAX_ALL_CHARACTERS;

/** Rounded to nine decimals. */
const rounded = (degrees: number) => Math.round(degrees * 1e9) / 1e9;

/** Values while readers collect them. Readers only add. */
export class ValuesDraft {
  /** Whether more was found than is kept. */
  cut = false;
  provenance: Provenance | null = null;
  readonly #findings: { [G in Group]: Finding<G>[] } = {
    places: [],
    times: [],
    device: [],
    people: [],
    texts: [],
  };
  readonly #positions: Position[] = [];
  readonly #thumbnails: Thumbnail[] = [];
  readonly #counts = new Map<string, number>();
  readonly #seen = new Set<string>();
  #characters = 0;
  #structures = MAX_STRUCTURES;
  #recodable = MAX_RECODED;
  #fieldBytes = MAX_FIELD_BYTES;

  /**
   * Adds a value, trimmed. Drops an empty one, and one that the same field and kind of the same block already
   * contained. Only a region may be empty: a face without a name.
   */
  add<G extends Group>(group: G, kind: Kind<G>, text: string, source: Source, area?: Area): void {
    const whole = tidy(text);
    if (whole === '' && area === undefined) return;
    const value = shortened(whole);
    const key = `${kind}\0${source.block}\0${source.field}\0${value}\0${area ? Object.values(area) : ''}`;
    if (this.#seen.has(key)) return;
    const slot = `${group}/${kind}`;
    const count = this.#counts.get(slot) ?? 0;
    if (count >= MAX_LIST || this.#characters + value.length > MAX_ALL_CHARACTERS) {
      this.cut = true;
      return;
    }
    this.#counts.set(slot, count + 1);
    this.#seen.add(key);
    this.#characters += value.length;
    if (value.length < whole.length) this.cut = true;
    const finding: Finding<G> = {
      kind,
      value,
      block: source.block,
      field: source.field,
      ...(value.length < whole.length && { cut: true as const }),
      ...(area && { area }),
    };
    this.#findings[group].push(finding);
  }

  /**
   * Adds a place, with degrees rounded to a tenth of a millimetre. It is said only if both coordinates can be
   * read; if one is stated that can't be, or only one, the place is marked as unreadable. If nothing else is
   * known either, the place is dropped.
   */
  position(
    place: Omit<Position, 'latitude' | 'longitude'>,
    latitude: Coordinate,
    longitude: Coordinate,
  ): void {
    const { kind, ...others } = place;
    const known = ['altitude', 'direction', 'accuracy', 'time'].some((member) => member in place);
    const isStated = latitude !== null || longitude !== null;
    if (!isStated && !known) return;
    const isReadable = latitude !== null && longitude !== null && !Number.isNaN(latitude + longitude);
    const degrees = isReadable
      ? { latitude: rounded(latitude), longitude: rounded(longitude) }
      : isStated && { unreadable: true as const };
    const position: Position = { kind, ...degrees, ...others };
    if (this.#positions.length >= MAX_LIST) {
      this.cut = true;
      return;
    }
    const same = (each: Position) => JSON.stringify(each) === JSON.stringify(position);
    if (!this.#positions.some(same)) this.#positions.push(position);
  }

  get hasPosition(): boolean {
    return this.#positions.length > 0;
  }

  /** Counts structures before they are read; returns false once there are too many. */
  structures(count: number): boolean {
    this.#structures -= count;
    if (this.#structures < 0) this.cut = true;
    return this.#structures >= 0;
  }

  /**
   * Counts the bytes that reading a field would take, before it is read; returns false once there are too
   * many.
   */
  fieldBytes(bytes: number): boolean {
    this.#fieldBytes -= Math.min(bytes, MAX_TEXT_BYTES);
    if (this.#fieldBytes < 0) this.cut = true;
    return this.#fieldBytes >= 0;
  }

  /** How many of the wanted bytes in UTF-16 may be recoded; they count as used. */
  recodable(wanted: number): number {
    const granted = Math.min(wanted, this.#recodable);
    if (granted < wanted) this.cut = true;
    this.#recodable -= granted;
    return granted;
  }

  thumbnail(thumbnail: Thumbnail): void {
    if (this.#thumbnails.length >= MAX_LIST) this.cut = true;
    else this.#thumbnails.push(thumbnail);
  }

  finish(): Values {
    const { places, times, device, people, texts } = this.#findings;
    const positions = this.#positions;
    return {
      place: positions.length + places.length > 0 ? { positions, names: places } : null,
      times,
      device,
      people,
      texts,
      provenance: this.provenance,
      thumbnails: this.#thumbnails,
      cut: this.cut,
    };
  }
}

/** Removes the padding that writers leave: zeros and white space; other control characters become spaces. */
function tidy(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g, ' ').trim();
}

/** At most MAX_CHARACTERS, without splitting a surrogate pair. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_CHARACTERS - 1 : MAX_CHARACTERS).trimEnd();
}
