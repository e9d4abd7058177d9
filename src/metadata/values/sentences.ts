import type { SentenceTextKey } from './sentence_texts.ts';
import type { Finding, Group, Kind, Manifest, Position, Thumbnail, Values } from './values.ts';
import { english, type Wording } from './wording.ts';

/** Longest quotation in a sentence, in characters, and most items listed in one sentence. */
const MAX_QUOTED = 160;
const MAX_NAMED = 5;

/** The input of sentences: values as they are read, or as inspect returns them. */
export type Sayable = Omit<Values, 'thumbnails'> & {
  readonly thumbnails: readonly Omit<Thumbnail, 'image'>[];
};

/** The function for each topic, which is a group of values; in the order of `sentences`. */
const topics = {
  place: placeSentences,
  times: timeSentences,
  people: peopleSentences,
  device: deviceSentences,
  texts: textSentences,
  provenance: provenanceSentences,
  thumbnails: thumbnailSentences,
} as const;

export type Topic = keyof typeof topics;

/**
 * What a file reveals on one topic, as self-contained sentences; none if it says nothing. They repeat the
 * metadata character by character, true or not: a page must show them as text, never as markup.
 */
export const sentencesAbout = (topic: Topic, values: Sayable, wording = english): string[] =>
  topics[topic](values, wording);

/** The sentences of all topics, the most revealing first. */
export function sentences(values: Sayable, wording = english): string[] {
  const said = Object.values(topics).flatMap((about) => about(values, wording));
  if (said.length === 0) return [wording.say('said.nothing')];
  return values.cut ? [...said, wording.say('said.more')] : said;
}

/** The distinct values of these kinds, in order. */
function valuesOf<G extends Group>(findings: readonly Finding<G>[], ...kinds: Kind<G>[]): string[] {
  const found = findings.filter(({ kind, value }) => kinds.includes(kind) && value !== '');
  return [...new Set(found.map(({ value }) => value))];
}

function quoted(text: string, { say }: Wording): string {
  const line = text.replace(/\s+/g, ' ');
  return say('said.quoted', { text: line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line });
}

/** "a, b and c", or "a, b, c, d, e and 7 more". */
function listed(items: readonly string[], { say, list }: Wording): string {
  const rest = items.length - MAX_NAMED;
  // Naming the last item is as short as "1 more".
  return rest <= 1 ? list(items) : list([...items.slice(0, MAX_NAMED), say('said.others', { count: rest })]);
}

/** A sentence about one or several values; none if there are none. */
const about = (items: readonly string[], key: SentenceTextKey, wording: Wording): string[] =>
  items.length === 0 ? [] : [wording.say(key, { count: items.length, list: listed(items, wording) })];

function positionSentence(position: Position, wording: Wording): string {
  const { kind, latitude, longitude, unreadable, altitude, direction, accuracy, time } = position;
  const { say, number } = wording;
  const known = latitude !== undefined && longitude !== undefined;
  const metres = (value: number) => Math.round(Math.abs(value));
  const degrees = (value: number, positive: SentenceTextKey, negative: SentenceTextKey) =>
    say(value < 0 ? negative : positive, { degrees: number(Math.abs(value), 6) });
  const facts = [
    known &&
      say('said.coordinates', {
        latitude: degrees(latitude, 'said.north', 'said.south'),
        longitude: degrees(longitude, 'said.east', 'said.west'),
      }),
    known && accuracy !== undefined && say('said.accuracy', { metres: metres(accuracy) }),
    altitude !== undefined && say(altitude < 0 ? 'said.below' : 'said.above', { metres: metres(altitude) }),
    direction !== undefined && say('said.looking', { direction: say(directionKey(direction)) }),
    time !== undefined && say('said.fix', { time: time.replace('T', ' ').replace('Z', ' UTC') }),
  ].filter((text) => text !== false);
  if (unreadable && facts.length === 0) return say('said.unreadablePlace');
  const verb = unreadable
    ? 'said.unreadablePlaceAnd'
    : kind === 'shown'
      ? 'said.shows'
      : known
        ? 'said.takenAt'
        : 'said.noPlace';
  return say(verb, { facts: facts.join(', ') });
}

/** The nearest of the eight compass directions, clockwise from north. */
const directionKey = (degrees: number) =>
  `said.direction.${Math.round(degrees / 45) & 7}` as 'said.direction.0' & SentenceTextKey;

function placeSentences({ place }: Sayable, wording: Wording): string[] {
  const names = place?.names ?? [];
  const parts = valuesOf(names, 'name', 'area', 'sublocation', 'city', 'region', 'country', 'country_code');
  return [
    ...(place?.positions ?? []).slice(0, MAX_NAMED).map((position) => positionSentence(position, wording)),
    ...(parts.length > 0
      ? [wording.say('said.placeNames', { names: parts.slice(0, 2 * MAX_NAMED).join(', ') })]
      : []),
  ];
}

/**
 * "on 31 May 2024, 17:02:11 (UTC+02:00)", or the known part of it: "in May 2024"; unchanged if it is not a
 * date.
 */
function spokenTime(time: string, { say, date }: Wording): string {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T([\d:]+)[\d.]*(Z|[+-]\d\d:\d\d)?)?)?)?/.exec(time);
  if (match === null) return time;
  const [year, month, day] = match.slice(1, 4).map((part) => (part === undefined ? undefined : Number(part)));
  if (year === undefined || year === 0 || !isInCalendar(year, month, day)) return time;
  const [clock, zone] = match.slice(4);
  const key = day !== undefined ? 'said.onDay' : month !== undefined ? 'said.inMonth' : 'said.inYear';
  const offset = zone === undefined ? '' : ` (UTC${zone === 'Z' ? '' : zone})`;
  return `${say(key, { date: date({ year, month, day }) })}${clock ? `, ${clock}${offset}` : ''}`;
}

function isInCalendar(year: number, month = 1, day = 1): boolean {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
}

function timeSentences({ times }: Sayable, wording: Wording): string[] {
  const spoken = (kind: Kind<'times'>) => {
    const said = [...new Set(valuesOf(times, kind).map((time) => spokenTime(time, wording)))];
    // the same moment without its offset adds nothing
    return said.filter((text) => !said.some((other) => other.startsWith(`${text} (`)));
  };
  const taken = spoken('taken');
  // cameras digitise when they take the picture
  const digitised = spoken('digitised').filter((text) => !taken.some((other) => other.startsWith(text)));
  return [
    ...about(taken, 'said.taken', wording),
    ...about(digitised, 'said.digitised', wording),
    ...about(spoken('modified'), 'said.modified', wording),
  ];
}

function peopleSentences({ people }: Sayable, wording: Wording): string[] {
  const { length: count } = people.filter(({ kind }) => kind === 'region');
  const named = valuesOf(people, 'region');
  const regions = named.length === 0 ? 'said.regions' : 'said.regionsNamed';
  return [
    ...about(valuesOf(people, 'person'), 'said.persons', wording),
    ...(count === 0 ? [] : [wording.say(regions, { count, list: listed(named, wording) })]),
    ...about(valuesOf(people, 'author'), 'said.author', wording),
    ...about(valuesOf(people, 'credit'), 'said.credit', wording),
    ...about(valuesOf(people, 'copyright'), 'said.copyright', wording),
    ...about(valuesOf(people, 'contact'), 'said.contact', wording),
  ];
}

function deviceSentences({ device }: Sayable, wording: Wording): string[] {
  const [maker] = valuesOf(device, 'maker');
  const models = valuesOf(device, 'model');
  // most makers repeat their name in the model name
  const camera = [maker && models[0]?.startsWith(maker.split(' ')[0]!) ? '' : maker, models[0]].filter(
    Boolean,
  );
  const lenses = device.filter(({ field }) => !field.endsWith('LensMake'));
  const running = valuesOf(device, 'run_id').find((text) => /^[\d.]+ s$/.test(text));
  const duration = running && spokenDuration(Number.parseFloat(running), wording);
  return [
    ...(camera.length > 0 ? [wording.say('said.camera', { name: camera.join(' ') })] : []),
    ...about(valuesOf(device, 'owner'), 'said.owner', wording),
    ...about(valuesOf(device, 'body_serial'), 'said.bodySerial', wording),
    ...about(valuesOf(device, 'internal_serial'), 'said.internalSerial', wording),
    ...about(valuesOf(lenses, 'lens'), 'said.lens', wording),
    ...about(valuesOf(device, 'lens_serial'), 'said.lensSerial', wording),
    ...(duration ? [wording.say('said.running', { duration })] : []),
    ...about(valuesOf(device, 'software', 'firmware'), 'said.software', wording),
    ...about(valuesOf(device, 'host_computer'), 'said.host', wording),
  ];
}

function spokenDuration(seconds: number, { say }: Wording): string {
  const hours = seconds / 3600;
  if (hours < 2) return say('said.minutes', { count: Math.round(seconds / 60) });
  return hours < 48
    ? say('said.hours', { count: Math.round(hours) })
    : say('said.days', { count: Math.round(hours / 24) });
}

function textSentences({ texts }: Sayable, wording: Wording): string[] {
  const quote = (kind: Kind<'texts'>) => valuesOf(texts, kind).map((text) => quoted(text, wording));
  const ids = new Set(valuesOf(texts, 'document_id', 'instance_id', 'original_id', 'image_id'));
  const edits = texts.filter(({ kind }) => kind === 'edit');
  return [
    ...about(quote('prompt'), 'said.prompt', wording),
    ...(quote('workflow').length > 0 ? [wording.say('said.workflow')] : []),
    ...about(quote('title'), 'said.title', wording),
    ...about(quote('caption'), 'said.caption', wording),
    ...about(valuesOf(texts, 'keyword'), 'said.keywords', wording),
    ...about(quote('comment'), 'said.comment', wording),
    ...about(quote('instructions'), 'said.instructions', wording),
    ...about(valuesOf(texts, 'source'), 'said.source', wording),
    ...about(valuesOf(texts, 'file_name'), 'said.fileName', wording),
    ...about(quote('text'), 'said.text', wording),
    ...(edits.length > 0 ? [wording.say('said.edits', { count: edits.length })] : []),
    ...(ids.size > 0 ? [wording.say('said.identifiers', { count: ids.size })] : []),
  ];
}

function provenanceSentences({ provenance }: Sayable, wording: Wording): string[] {
  if (provenance === null) return [];
  const claims = provenance.manifests.map(({ generator }) => generator ?? '').filter((name) => name !== '');
  const actions = provenance.manifests.flatMap((manifest: Manifest) =>
    manifest.actions.map(({ action, source_type: kind }) => {
      return action.replace(/^c2pa\./, '') + (kind === undefined ? '' : ` (${kind.replace(/^.*\//, '')})`);
    }),
  );
  const part = (key: SentenceTextKey, items: readonly string[]) =>
    items.length === 0 ? '' : wording.say(key, { list: listed([...new Set(items)], wording) });
  const by = part('said.statementBy', claims);
  return [wording.say('said.statement', { by, that: part('said.statementThat', actions) })];
}

function thumbnailSentences({ thumbnails }: Sayable, wording: Wording): string[] {
  const { say } = wording;
  const sizes = thumbnails.map(({ width, height, bytes }) =>
    width > 0 && height > 0
      ? say('said.copySize', { width, height, bytes })
      : say('said.copyOfUnknownSize', { bytes }),
  );
  const differing = thumbnails.filter(({ differs }) => differs);
  return [
    ...about(sizes, 'said.copies', wording),
    ...(differing.length > 0 ? [say('said.copyDiffers')] : []),
  ];
}
