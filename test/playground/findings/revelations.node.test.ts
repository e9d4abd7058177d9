import { describe, expect, it } from 'vitest';
import type { InspectResult } from '../../../client/index.ts';
import type { Sayable } from '../../../src/metadata/values/sentences.ts';
import {
  gravest,
  knownPositions,
  revelations,
  tellsPlace,
} from '../../../src/playground/findings/revelations.ts';

type Values = Sayable;

const nothing: Values = {
  place: null,
  times: [],
  device: [],
  people: [],
  texts: [],
  provenance: null,
  thumbnails: [],
  cut: false,
};
const exif = { block: 'exif', field: 'a field' } as const;
const gps = { block: 'gps', field: 'GPS' } as const;

const place: Values['place'] = {
  positions: [
    { kind: 'camera', altitude: 30, ...gps },
    { kind: 'camera', latitude: 48.8584, longitude: 2.2945, ...gps },
  ],
  names: [{ kind: 'city', value: 'Paris', ...exif }],
};
const thumbnails: Values['thumbnails'] = [
  { bytes: 900, encoding: 'jpeg', width: 160, height: 120, differs: true, block: 'thumbnail', field: 'IFD1' },
];
const device: Values['device'] = [
  { kind: 'model', value: 'Phone 7', ...exif },
  { kind: 'body_serial', value: 'SN-7', ...exif },
];
const people: Values['people'] = [{ kind: 'author', value: 'Ann', ...exif }];
const texts: Values['texts'] = [
  { kind: 'caption', value: 'By the river', ...exif },
  { kind: 'prompt', value: 'a cat', ...exif },
];
const times: Values['times'] = [{ kind: 'taken', value: '2024-05-31', ...exif }];

const inspection = (values: Partial<Values> | null, blocks = 1): InspectResult => ({
  format: 'jpeg',
  width: 400,
  height: 300,
  bytes: 1000,
  metadata_blocks_present: [],
  has_gps: false,
  orientation: 1,
  frames: 1,
  complete: true,
  colour_space: 'srgb',
  blocks: Array.from({ length: blocks }, () => ({ name: 'exif' as const, start: 2, bytes: 10 })),
  ...(values && { values: { ...nothing, ...values } as NonNullable<InspectResult['values']> }),
});

describe('what a photo gives away', () => {
  it('is told topic by topic, without those that nothing is said of', () => {
    const told = revelations({ ...nothing, place, device, times });
    expect(told.map(({ topic }) => topic)).toEqual(['place', 'times', 'device']);
    expect(told[0]!.sentences).toEqual([
      'It tells no place, but this of it: 30 m above sea level.',
      'It was taken at 48.858400°\u00a0N, 2.294500°\u00a0E.',
      'It names the place: Paris.',
    ]);
    expect(revelations(nothing)).toEqual([]);
  });

  it('has on the map the places with coordinates alone', () => {
    expect(knownPositions({ ...nothing, place }).map(({ latitude }) => latitude)).toEqual([48.8584]);
    expect(knownPositions(nothing)).toEqual([]);
  });

  it.each([
    [
      'where it was taken, before all else',
      { place, thumbnails, people, device, texts, times },
      'It was taken at 48.858400°\u00a0N, 2.294500°\u00a0E.',
    ],
    [
      'what its thumbnail shows',
      { thumbnails, people, device, texts, times },
      'A copy inside the file may show what was cropped away.',
    ],
    ['who is named', { people, device, texts, times }, 'Its author is Ann.'],
    ['which camera it was', { device, texts, times }, 'The camera has the serial number SN-7.'],
    ['what was asked for', { texts, times }, 'A picture generator was asked for “a cat”.'],
  ])('tells first %s', (_, values, sentence) => {
    expect(gravest(inspection(values))).toEqual({ sentence, alarming: true });
  });

  it('raises no alarm over a date, an unread block or nothing', () => {
    const said = [inspection({ times }), inspection({}), inspection(null), inspection({}, 0)].map(gravest);
    const silent = 'Its metadata does not mention a place, a time, a device or a person.';
    expect(said).toEqual([
      { sentence: 'It was taken on 31 May 2024.', alarming: false },
      { sentence: silent, alarming: false },
      { sentence: silent, alarming: false },
      { sentence: 'It carries no metadata.', alarming: false },
    ]);
  });

  it('raises no alarm over GPS data that states no place, such as its version or an altitude', () => {
    const high: Values['place'] = { positions: [{ kind: 'camera', altitude: 30, ...gps }], names: [] };
    const inspections = [inspection({}), { ...inspection({ place: high }), has_gps: true }];
    expect(inspections.map((each) => [tellsPlace(each), gravest(each).alarming])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  it('says that a place is stated, where it can’t be read', () => {
    const vague: Values['place'] = {
      positions: [{ kind: 'camera', unreadable: true, ...gps }],
      names: [],
    };
    const stated = { ...inspection({ place: vague }), has_gps: true };
    expect(tellsPlace(stated)).toBe(true);
    expect(gravest(stated)).toEqual({
      sentence: 'It states a place in a way that cannot be read with certainty.',
      alarming: true,
    });
  });

  it('says that there is a place, where GPS data can’t be read', () => {
    expect(gravest({ ...inspection({}), has_gps: true }).sentence).toBe('It says where it was taken.');
  });
});
