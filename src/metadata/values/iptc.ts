import type { Cursor } from '../cursor.ts';
import { SWAPPED_WORDS } from '../payloads.ts';
import { textAt } from './text.ts';
import { isoTime } from './times.ts';
import type { Group, Kind } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

const MARKER = 0x1c;
/** Work of a dataset besides its reads, in bytes searched. */
const DATASET = 256;
/** Most bytes of a record that are put in order; real ones have a few kilobytes. */
const MAX_SWAPPED = 1 << 18;
/** The record that describes the picture. */
const APPLICATION = 2;

type Row = { [G in Group]: readonly [group: G, kind: Kind<G>, name: string] }[Group];

/** Datasets of record 2 by number: IPTC Information Interchange Model 4.2, chapter 6. */
const DATASETS: ReadonlyMap<number, Row> = new Map<number, Row>([
  [5, ['texts', 'title', 'ObjectName']],
  [7, ['texts', 'text', 'EditStatus']],
  [12, ['texts', 'keyword', 'SubjectReference']],
  [15, ['texts', 'keyword', 'Category']],
  [20, ['texts', 'keyword', 'SupplementalCategories']],
  [22, ['texts', 'document_id', 'FixtureIdentifier']],
  [25, ['texts', 'keyword', 'Keywords']],
  [26, ['places', 'country_code', 'ContentLocationCode']],
  [27, ['places', 'name', 'ContentLocationName']],
  [40, ['texts', 'instructions', 'SpecialInstructions']],
  [65, ['device', 'software', 'OriginatingProgram']],
  [80, ['people', 'author', 'By-line']],
  [85, ['people', 'author', 'By-lineTitle']],
  [90, ['places', 'city', 'City']],
  [92, ['places', 'sublocation', 'Sub-location']],
  [95, ['places', 'region', 'Province-State']],
  [100, ['places', 'country_code', 'Country-PrimaryLocationCode']],
  [101, ['places', 'country', 'Country-PrimaryLocationName']],
  [103, ['texts', 'document_id', 'OriginalTransmissionReference']],
  [105, ['texts', 'title', 'Headline']],
  [110, ['people', 'credit', 'Credit']],
  [115, ['texts', 'source', 'Source']],
  [116, ['people', 'copyright', 'CopyrightNotice']],
  [118, ['people', 'contact', 'Contact']],
  [120, ['texts', 'caption', 'Caption-Abstract']],
  [122, ['people', 'author', 'Writer-Editor']],
  [187, ['texts', 'document_id', 'UniqueDocumentID']],
  [230, ['texts', 'text', 'DocumentNotes']],
]);
/** Datasets of dates with those of the times that belong to them. */
const TIMES = [
  [55, 60, 'taken', 'DateCreated'],
  [62, 63, 'digitised', 'DigitalCreationDate'],
] as const;

/**
 * Reads an IPTC record: consecutive datasets, up to bytes that are not a dataset. Yields as scanners do.
 * @param label that of its payload
 */
export function* readIptc(stored: Cursor, label: string, draft: ValuesDraft): Generator<number, void> {
  const window = label === SWAPPED_WORDS ? unswapped(stored) : stored;
  const clock = new Map<number, string>();
  let at = 0;
  while (window.u8(at) === MARKER && draft.structures(1)) {
    window.meter.work(DATASET);
    if (window.meter.isDue) yield window.meter.pause();
    const record = window.u8(at + 1);
    const dataset = window.u8(at + 2);
    const length = window.u16(at + 3);
    if (length < 0) break;
    // the highest bit means that the rest is the number of length bytes that follow (§1.5)
    const extended = length >= 0x8000 ? length & 0x7fff : 0;
    const start = at + 5 + extended;
    const end = start + (extended > 0 ? window.unsigned(at + 5, extended) : length);
    if (!(end >= start) || end > window.length) break;
    if (record === APPLICATION) readDataset(window, dataset, start, end, clock, draft);
    at = end;
  }
  for (const [date, time, kind, field] of TIMES) {
    const day = clock.get(date);
    const value = day === undefined ? null : (isoTime(`${day} ${clock.get(time) ?? ''}`) ?? isoTime(day));
    if (value) draft.add('times', kind, value, { block: 'iptc', field });
  }
}

/** The record with the bytes of each word in their order; at most MAX_SWAPPED. */
function unswapped(stored: Cursor): Cursor {
  const words = stored.span(0, Math.min(stored.length, MAX_SWAPPED) & ~3);
  if (words === null) return stored;
  const bytes = new Uint8Array(words.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = words[at ^ 3]!;
  return stored.over(bytes, { start: 0, end: 0 });
}

function readDataset(
  window: Cursor,
  dataset: number,
  start: number,
  end: number,
  clock: Map<number, string>,
  draft: ValuesDraft,
): void {
  const row = DATASETS.get(dataset);
  if (row) draft.add(row[0], row[1], textAt(window, start, end), { block: 'iptc', field: row[2] });
  const timed = TIMES.some(([date, time]) => dataset === date || dataset === time);
  if (timed && !clock.has(dataset)) clock.set(dataset, textAt(window, start, Math.min(end, start + 16)));
}
