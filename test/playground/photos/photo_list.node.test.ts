import { describe, expect, it } from 'vitest';
import {
  changing,
  newPhoto,
  photosOf,
  removing,
  settingsOf,
  showing,
  statusOf,
} from '../../../src/playground/photos/photo_list.ts';
import { planRequest } from '../../../src/playground/settings/ops.ts';
import { emptyState, newRegion, type Result, type State } from '../../../src/playground/state.ts';

const size = { width: 300, height: 200 };
const listOf = (...names: string[]) =>
  names.map((name) => newPhoto({ file: new File(['x'], name), folder: '' }));

/** A state with these photos, of which the first is shown. */
function stateWith(...names: string[]): State {
  const state = { ...emptyState, photos: listOf(...names) };
  return { ...state, ...showing(state, state.photos[0]!.id) };
}

/** What cleaning with these settings gave. */
const resultFor = (settings: State['settings']) =>
  ({ url: 'blob:x', request: planRequest(settings, emptyState, size) }) as unknown as Result;

describe('a list of photos', () => {
  it('keeps the edits of each, while the settings are those of all', () => {
    let state = stateWith('a.jpg', 'b.jpg');
    const [a, b] = state.photos.map(({ id }) => id) as [number, number];
    const region = newRegion({ x: 1, y: 2, w: 30, h: 40 });
    state = { ...state, settings: { ...state.settings, regions: [region], strength: 7 } };
    state = { ...state, ...showing(state, b) };
    expect(state.photo!.file.name).toBe('b.jpg');
    expect([state.settings.regions, state.settings.strength]).toEqual([[], 7]);
    state = { ...state, settings: { ...state.settings, strength: 5 } };
    state = { ...state, ...showing(state, a) };
    expect([state.settings.regions, state.settings.strength]).toEqual([[region], 5]);
    expect(settingsOf(state.settings, photosOf(state)[1]!.kept).regions).toEqual([]);
  });

  it('shows the neighbour of one that is taken out, and nothing after the last', () => {
    let state = stateWith('a.jpg', 'b.jpg', 'c.jpg');
    const [a, b, c] = state.photos.map(({ id }) => id) as [number, number, number];
    state = { ...state, ...removing(state, b) };
    expect([state.photos.map(({ id }) => id), state.currentId]).toEqual([[a, c], a]);
    state = { ...state, ...removing(state, a) };
    expect([state.currentId, state.photo!.file.name]).toEqual([c, 'c.jpg']);
    state = { ...state, ...removing(state, c) };
    expect([state.photos, state.currentId, state.photo, state.settings.regions]).toEqual([
      [],
      null,
      null,
      [],
    ]);
  });

  it('changes a photo whether it is shown or not, and knows no other', () => {
    let state = stateWith('a.jpg', 'b.jpg');
    const [a, b] = state.photos.map(({ id }) => id) as [number, number];
    const result = resultFor(state.settings);
    state = { ...state, ...changing(state, b, { result }) };
    expect([state.result, photosOf(state)[1]!.kept.result]).toEqual([null, result]);
    state = { ...state, ...changing(state, a, { result }) };
    expect([state.result, photosOf(state)[0]!.kept.result]).toEqual([result, result]);
    expect(() => showing(state, 1e9)).toThrow(RangeError);
  });

  it('says of each whether it is clean as the settings are now', () => {
    let state = stateWith('a.jpg');
    const { id } = state.photos[0]!;
    const status = () => statusOf(photosOf(state)[0]!, state.settings);
    expect(status()).toBe('waiting');
    const photo = { ...state.photo!, size };
    state = { ...state, ...changing(state, id, { photo, result: resultFor(state.settings) }) };
    expect(status()).toBe('clean');
    // Faces that were found since are what the engine was asked to find; until somebody chooses among them.
    const face = { x: 10, y: 10, w: 40, h: 50, confidence: 0.9, hidden: true };
    state = { ...state, detectedFaces: [face] };
    expect(status()).toBe('clean');
    state = { ...state, detectedFaces: [{ ...face, hidden: false }] };
    expect(status()).toBe('changed');
    state = { ...state, detectedFaces: [face], settings: { ...state.settings, grayscale: true } };
    expect(status()).toBe('changed');
    state = { ...state, ...changing(state, id, {}, 'It failed') };
    expect(status()).toBe('failed');
  });
});
