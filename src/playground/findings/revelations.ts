import type { InspectResult } from '../../../client/index.ts';
import { type Sayable, sentencesAbout, type Topic } from '../../metadata/values/sentences.ts';
import { t, wording } from '../texts.ts';

type Position = NonNullable<Sayable['place']>['positions'][number];

/** What a file reveals on one topic. */
export interface Revelation {
  readonly topic: Topic;
  /** Complete sentences; anybody may have written what they quote. */
  readonly sentences: readonly string[];
}

/** A place with coordinates. */
export type KnownPosition = Position & { readonly latitude: number; readonly longitude: number };

/** In the order of interest: where, what a small copy still shows, who, when, with what. */
const ORDER: readonly Topic[] = ['place', 'thumbnails', 'people', 'times', 'device', 'texts', 'provenance'];

/** The values of an answer, if it has any. */
export const valuesOf = ({ values }: InspectResult): Sayable | undefined =>
  // The schema's type allows members that are there and undefined; JSON has none.
  values as Sayable | undefined;

/** What a file reveals, by topic; empty if its values say nothing. */
export function revelations(values: Sayable): Revelation[] {
  return ORDER.map((topic) => ({ topic, sentences: sentencesAbout(topic, values, wording) })).filter(
    ({ sentences }) => sentences.length > 0,
  );
}

/** The places that have coordinates. */
export function knownPositions(values: Sayable): KnownPosition[] {
  const positions = values.place?.positions ?? [];
  return positions.filter(
    (position): position is KnownPosition =>
      position.latitude !== undefined && position.longitude !== undefined,
  );
}

/**
 * Whether the file says where it was taken, be it unreadable: more than the version of its GPS data, an
 * altitude or a time.
 */
export function tellsPlace(inspection: InspectResult): boolean {
  const values = valuesOf(inspection);
  const places = values ? placesOf(values) : [];
  return places.length > 0 || (inspection.has_gps && !values?.place?.positions.length);
}

/** The positions that state a place, those with coordinates first. */
const placesOf = (values: Sayable): Position[] => [
  ...knownPositions(values),
  ...(values.place?.positions ?? []).filter(({ unreadable }) => unreadable),
];

/**
 * The most important sentence, and whether it is alarming: where the camera was, what a thumbnail still
 * shows, who is named, the camera's serial number, the prompt of an image generator; otherwise anything else.
 */
export function gravest(inspection: InspectResult): {
  readonly sentence: string;
  readonly alarming: boolean;
} {
  const { blocks } = inspection;
  const values = valuesOf(inspection);
  const alarm = values && mostTelling(values);
  if (alarm) return { sentence: alarm, alarming: true };
  if (tellsPlace(inspection)) return { sentence: t('reveal.where'), alarming: true };
  const [first] = values ? revelations(values) : [];
  if (first) return { sentence: first.sentences[0]!, alarming: false };
  return { sentence: t(blocks.length > 0 ? 'said.nothing' : 'reveal.empty'), alarming: false };
}

function mostTelling(values: Sayable): string | undefined {
  const positions = placesOf(values);
  if (positions.length > 0) {
    return sentencesAbout('place', { ...values, place: { positions, names: [] } }, wording)[0];
  }
  if (values.thumbnails.some(({ differs }) => differs)) return t('reveal.thumbnailDiffers');
  const people = values.people.filter(({ kind }) => kind !== 'copyright' && kind !== 'credit');
  const marked = values.device.filter(({ kind }) => kind === 'owner' || kind.endsWith('_serial'));
  const prompts = values.texts.filter(({ kind }) => kind === 'prompt');
  return [
    ...sentencesAbout('people', { ...values, people }, wording),
    ...sentencesAbout('device', { ...values, device: marked }, wording),
    ...sentencesAbout('texts', { ...values, texts: prompts }, wording),
  ][0];
}
