import type { Finding, Group, Kind, Manifest, Position, Thumbnail, Values } from './values.ts';

/** Longest quotation in a sentence, in characters, and most things that one sentence lists. */
const MAX_QUOTED = 160;
const MAX_LISTED = 5;

/** What sentences are made of: values as they are read, or as inspect answers them. */
export type Sayable = Omit<Values, 'thumbnails'> & {
  readonly thumbnails: readonly Omit<Thumbnail, 'image'>[];
};

/** What each sentence is about: the groups of values, in the order of `sentences`. */
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
 * What a file gives away of one topic, as English sentences that stand for themselves; none where it says
 * nothing. They repeat what the metadata say, true or not, letter by letter: a page must show them as text,
 * never as markup.
 */
export const sentencesAbout = (topic: Topic, values: Sayable): string[] => topics[topic](values);

/** The sentences of all topics, most telling first. */
export function sentences(values: Sayable): string[] {
  const said = Object.values(topics).flatMap((about) => about(values));
  if (said.length === 0) return ['Its metadata say nothing of a place, a time, a device or a person.'];
  return values.cut ? [...said, 'There is more in it than is listed here.'] : said;
}

/** Different values of these kinds, in their order. */
function valuesOf<G extends Group>(findings: readonly Finding<G>[], ...kinds: Kind<G>[]): string[] {
  const found = findings.filter(({ kind, value }) => kinds.includes(kind) && value !== '');
  return [...new Set(found.map(({ value }) => value))];
}

const quoted = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return `“${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line}”`;
};

/** "a, b and c", or "a, b, c, d, e and 7 more". */
function listed(items: readonly string[]): string {
  if (items.length === 1) return items[0]!;
  const shown = items.slice(0, items.length > MAX_LISTED ? MAX_LISTED : -1);
  const rest = items.length - shown.length;
  return `${shown.join(', ')} and ${rest === 1 ? items.at(-1) : `${rest} more`}`;
}

/** A sentence about one value or several; none where there is none. */
function about(items: readonly string[], one: (items: string) => string, many = one): string[] {
  if (items.length === 0) return [];
  return [(items.length === 1 ? one : many)(listed(items))];
}

/** The eight winds, clockwise from north. */
const WINDS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];

function positionSentence(position: Position): string {
  const { kind, latitude, longitude, altitude, direction, accuracy, time } = position;
  const known = latitude !== undefined && longitude !== undefined;
  const metres = (value: number) => Math.round(Math.abs(value));
  const parts = [
    known ? `${hemisphere(latitude, 'N', 'S')}, ${hemisphere(longitude, 'E', 'W')}` : '',
    accuracy === undefined || !known ? '' : `give or take ${metres(accuracy)} m`,
    altitude === undefined ? '' : `${metres(altitude)} m ${altitude < 0 ? 'below' : 'above'} sea level`,
    direction === undefined ? '' : `looking ${WINDS[Math.round(direction / 45) & 7]}`,
    time === undefined ? '' : `by satellite time ${time.replace('T', ' ').replace('Z', ' UTC')}`,
  ].filter((text) => text !== '');
  const verb =
    kind === 'shown' ? 'It shows' : known ? 'It was taken at' : 'It tells no place, but this of it:';
  return `${verb} ${parts.join(', ')}.`;
}

const hemisphere = (degrees: number, positive: string, negative: string) =>
  `${Math.abs(degrees).toFixed(6)}° ${degrees < 0 ? negative : positive}`;

function placeSentences({ place }: Sayable): string[] {
  const names = place?.names ?? [];
  const parts = valuesOf(names, 'name', 'area', 'sublocation', 'city', 'region', 'country', 'country_code');
  return [
    ...(place?.positions ?? []).slice(0, MAX_LISTED).map(positionSentence),
    ...(parts.length > 0 ? [`It names the place: ${parts.slice(0, 2 * MAX_LISTED).join(', ')}.`] : []),
  ];
}

const MONTHS = `January February March April May June July August September October November December`.split(
  ' ',
);

/** "on 31 May 2024, 17:02:11 (UTC+02:00)", or what is known of it: "in May 2024". */
function spokenTime(time: string): string {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T([\d:]+)[\d.]*(Z|[+-]\d\d:\d\d)?)?)?)?/.exec(time);
  if (match === null) return time;
  const [, year, month, day, clock, zone] = match;
  const date = [day && Number(day), month && (MONTHS[Number(month) - 1] ?? month), year].filter(Boolean);
  const offset = zone === undefined ? '' : ` (UTC${zone === 'Z' ? '' : zone})`;
  return `${day ? 'on' : 'in'} ${date.join(' ')}${clock ? `, ${clock}${offset}` : ''}`;
}

function timeSentences({ times }: Sayable): string[] {
  const spoken = (kind: Kind<'times'>) => {
    const said = [...new Set(valuesOf(times, kind).map(spokenTime))];
    // the same moment without its offset says nothing more
    return said.filter((text) => !said.some((other) => other.startsWith(`${text} (`)));
  };
  const taken = spoken('taken');
  return [
    ...about(
      taken,
      (text) => `It was taken ${text}.`,
      (text) => `It says of several times that it was taken then: ${text}.`,
    ),
    // cameras digitise as they take
    ...about(
      spoken('digitised').filter((text) => !taken.some((other) => other.startsWith(text))),
      (text) => `It was digitised or created ${text}.`,
    ),
    ...about(
      spoken('modified'),
      (text) => `It was last changed ${text}.`,
      (text) => `It was changed ${text}.`,
    ),
  ];
}

function peopleSentences({ people }: Sayable): string[] {
  const marked = people.filter(({ kind }) => kind === 'region');
  const named = valuesOf(people, 'region');
  const regions = `It marks ${marked.length === 1 ? 'one part' : `${marked.length} parts`} of the picture`;
  return [
    ...about(valuesOf(people, 'person'), (text) => `It names who is in it: ${text}.`),
    ...(marked.length === 0
      ? []
      : [named.length === 0 ? `${regions}.` : `${regions}, named ${listed(named)}.`]),
    ...about(
      valuesOf(people, 'author'),
      (text) => `Its author is ${text}.`,
      (text) => `It names as authors and editors ${text}.`,
    ),
    ...about(valuesOf(people, 'credit'), (text) => `It is credited to ${text}.`),
    ...about(valuesOf(people, 'copyright'), (text) => `Its copyright notice: ${text}.`),
    ...about(valuesOf(people, 'contact'), (text) => `It says how to reach its author: ${text}.`),
  ];
}

function deviceSentences({ device }: Sayable): string[] {
  const [maker] = valuesOf(device, 'maker');
  const models = valuesOf(device, 'model');
  // most makers repeat their name in the model's
  const camera = [maker && models[0]?.startsWith(maker.split(' ')[0]!) ? '' : maker, models[0]].filter(
    Boolean,
  );
  const serials = (kind: Kind<'device'>, what: string) =>
    about(
      valuesOf(device, kind),
      (text) => `${what} has the serial number ${text}.`,
      (text) => `${what} has the serial numbers ${text}.`,
    );
  const lenses = device.filter(({ field }) => !field.endsWith('LensMake'));
  const running = valuesOf(device, 'run_id').find((text) => /^[\d.]+ s$/.test(text));
  return [
    ...(camera.length > 0 ? [`It was made with ${camera.join(' ')}.`] : []),
    ...about(valuesOf(device, 'owner'), (text) => `The camera belongs to ${text}.`),
    ...serials('body_serial', 'The camera'),
    ...serials('internal_serial', 'A part of the camera'),
    ...about(valuesOf(lenses, 'lens'), (text) => `The lens: ${text}.`),
    ...serials('lens_serial', 'The lens'),
    ...(running ? [`The phone had been running for ${spokenDuration(Number.parseFloat(running))}.`] : []),
    ...about(valuesOf(device, 'software', 'firmware'), (text) => `It went through this software: ${text}.`),
    ...about(valuesOf(device, 'host_computer'), (text) => `It was processed on ${text}.`),
  ];
}

function spokenDuration(seconds: number): string {
  const hours = seconds / 3600;
  if (hours < 2) return `${Math.round(seconds / 60)} minutes`;
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
}

function textSentences({ texts }: Sayable): string[] {
  const quote = (...kinds: Kind<'texts'>[]) => valuesOf(texts, ...kinds).map(quoted);
  const ids = new Set(valuesOf(texts, 'document_id', 'instance_id', 'original_id', 'image_id'));
  const edits = texts.filter(({ kind }) => kind === 'edit');
  return [
    ...about(quote('prompt'), (text) => `A picture generator was asked for ${text}.`),
    ...about(quote('workflow'), () => 'It holds the workflow of a picture generator.'),
    ...about(
      quote('title'),
      (text) => `Its title is ${text}.`,
      (text) => `Its titles are ${text}.`,
    ),
    ...about(
      quote('caption'),
      (text) => `Its caption reads ${text}.`,
      (text) => `Its captions read ${text}.`,
    ),
    ...about(valuesOf(texts, 'keyword'), (text) => `Its keywords are ${text}.`),
    ...about(
      quote('comment'),
      (text) => `It holds the comment ${text}.`,
      (text) => `It holds the comments ${text}.`,
    ),
    ...about(quote('instructions'), (text) => `It holds the instructions ${text}.`),
    ...about(valuesOf(texts, 'source'), (text) => `It comes from ${text}.`),
    ...about(valuesOf(texts, 'file_name'), (text) => `It came from the file ${text}.`),
    ...about(
      quote('text'),
      (text) => `It holds the text ${text}.`,
      (text) => `It holds the texts ${text}.`,
    ),
    ...(edits.length === 0
      ? []
      : [`It keeps ${edits.length === 1 ? 'one step' : `${edits.length} steps`} of its editing history.`]),
    ...(ids.size === 0
      ? []
      : [
          `It carries ${ids.size === 1 ? 'an identifier that ties' : `${ids.size} identifiers that tie`} it to other files.`,
        ]),
  ];
}

function provenanceSentences({ provenance }: Sayable): string[] {
  if (provenance === null) return [];
  const claims = provenance.manifests.map(({ generator }) => generator ?? '').filter((name) => name !== '');
  const actions = provenance.manifests.flatMap((manifest: Manifest) =>
    manifest.actions.map(({ action, source_type: kind }) => {
      return action.replace(/^c2pa\./, '') + (kind === undefined ? '' : ` (${kind.replace(/^.*\//, '')})`);
    }),
  );
  const by = claims.length > 0 ? ` by ${listed([...new Set(claims)])}` : '';
  const that = actions.length > 0 ? `, which says: ${listed([...new Set(actions)])}` : '';
  return [`It carries a C2PA statement${by}${that}. Nobody has checked it here.`];
}

function thumbnailSentences({ thumbnails }: Sayable): string[] {
  const spoken = ({ width, height, bytes }: Omit<Thumbnail, 'image'>) =>
    `${width > 0 && height > 0 ? `${width} × ${height} pixels` : 'unknown size'} (${bytes} bytes)`;
  const differing = thumbnails.filter(({ differs }) => differs);
  return [
    ...about(
      thumbnails.map(spoken),
      (text) => `It carries a smaller copy of itself: ${text}.`,
      (text) => `It carries smaller copies of itself: ${text}.`,
    ),
    ...(differing.length > 0
      ? ['A smaller copy has another shape than the picture: it may show what was cropped away.']
      : []),
  ];
}
