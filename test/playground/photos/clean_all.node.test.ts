import { describe, expect, it } from 'vitest';
import type { InspectResult, PurgeReport } from '../../../client/index.ts';
import { DeviceError } from '../../../src/playground/engine/device_error.ts';
import type { Engine } from '../../../src/playground/engine/engine.ts';
import { CleanAll } from '../../../src/playground/photos/clean_all.ts';
import { newPhoto, photosOf, showing, statusOf } from '../../../src/playground/photos/photo_list.ts';
import { Store } from '../../../src/playground/state.ts';

const names = Array.from({ length: 7 }, (_, at) => `${at}.jpg`);

/** A store with seven photos, and an engine that refuses the fourth and answers when told to. */
function createFixture(parallel: number) {
  const store = new Store();
  store.update({ photos: names.map((name) => newPhoto({ file: new File(['x'], name), folder: '' })) });
  store.update(showing(store.state, store.state.photos[0]!.id));
  const calls: string[] = [];
  let running = 0;
  let most = 0;
  const engine: Engine = {
    name: 'device',
    inspect: async () => ({
      value: { width: 20, height: 30, orientation: 6, format: 'png' } as InspectResult,
      facts: null,
    }),
    detect: () => Promise.reject(new Error('nobody asked')),
    async sanitize(file, { pixelate }, { signal, onProgress }) {
      const { name } = file as File;
      // Nobody has seen these photos: what a second look finds waits until somebody does.
      expect(pixelate).toEqual({ verify: 'list' });
      calls.push(name);
      most = Math.max(most, ++running);
      onProgress?.({ stage: 'encoding', done: 0.5, total: 1 });
      await new Promise((done) => setTimeout(done, 1));
      running--;
      signal?.throwIfAborted();
      if (name === '3.jpg') throw new DeviceError('unprocessable_image', 'It is cut short');
      return { value: { image: new Blob([name]), report: {} as PurgeReport }, facts: null };
    },
  };
  const all = new CleanAll(store, () => ({ engine, parallel }), engine);
  const statuses = () => photosOf(store.state).map((listed) => statusOf(listed, store.state.settings));
  return { store, all, calls, statuses, most: () => most };
}

describe('cleaning all', () => {
  it.each([1, 2, 3])('cleans each once, %i at a time, and goes on after one that fails', async (parallel) => {
    const { store, all, calls, statuses, most } = createFixture(parallel);
    const run = all.run();
    expect(store.state.batch).toMatchObject({ done: 0, total: 7 });
    await run;
    expect(calls.toSorted()).toEqual(names);
    expect(most()).toBe(parallel);
    expect(statuses()).toEqual(names.map((name) => (name === '3.jpg' ? 'failed' : 'clean')));
    expect(photosOf(store.state)[3]!.failure).toBe('This image can’t be read');
    expect(store.state.batch).toBeNull();
    // The photo that is shown has its result shown; sizes are upright.
    expect([store.state.view, store.state.result?.format]).toEqual(['result', 'png']);
    expect(photosOf(store.state)[1]!.kept.photo!.size).toEqual({ width: 30, height: 20 });
  });

  it('tries again only what is not clean as the settings are now', async () => {
    const { store, all, calls, statuses } = createFixture(1);
    await all.run();
    calls.length = 0;
    await all.run();
    expect(calls).toEqual(['3.jpg']);
    store.updateSettings({ grayscale: true });
    expect(new Set(statuses())).toEqual(new Set(['changed', 'failed']));
    calls.length = 0;
    await all.run();
    expect(calls).toHaveLength(7);
  });

  it('ends when it is cancelled, and can be begun again', async () => {
    const { store, all, calls, statuses } = createFixture(2);
    const run = all.run();
    await new Promise((done) => setTimeout(done));
    all.cancel();
    expect(store.state.batch).toBeNull();
    await run;
    expect(calls).toEqual(['0.jpg', '1.jpg']);
    expect(new Set(statuses())).toEqual(new Set(['waiting']));
    await all.run();
    expect(statuses().filter((status) => status === 'clean')).toHaveLength(6);
  });
});
