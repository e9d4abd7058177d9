import type { Engine, EngineName } from '../engine/engine.ts';
import { type Size, shownSize } from '../geometry.ts';
import { cleanPhoto } from '../result/clean_photo.ts';
import { errorMessageFrom } from '../service/error_message.ts';
import type { BatchProgress, ListedPhoto, Store } from '../state.ts';
import { changing, photosOf, settingsOf, statusOf } from './photo_list.ts';

/** Least progress of a photo that is reported. */
const LEAST_STEP = 0.05;

/** The engine that cleans, and the number of photos at once. */
export interface BatchEngine {
  readonly engine: Engine;
  readonly parallel: number;
}

/** Cleans all photos of the list that are not yet clean with the current settings, several at once. */
export class CleanAll {
  readonly #store: Store;
  readonly #engineOf: (name: EngineName) => BatchEngine;
  readonly #device: Engine;
  #abort: AbortController | null = null;

  /** @param device inspects photos that were never shown; a call of the service would cost */
  constructor(store: Store, engineOf: (name: EngineName) => BatchEngine, device: Engine) {
    this.#store = store;
    this.#engineOf = engineOf;
    this.#device = device;
  }

  /** Resolves when all are done, or the run was cancelled. A photo that fails does not end the run. */
  async run(): Promise<void> {
    if (this.#abort) return;
    const { state } = this.#store;
    const open = photosOf(state).filter((listed) => statusOf(listed, state.settings) !== 'clean');
    const waiting = open.map(({ id }) => id);
    const { engine, parallel } = this.#engineOf(state.engine);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#store.update({
      hasRun: false,
      batch: { done: 0, failed: 0, total: waiting.length, working: new Map() },
    });
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
        await this.#clean(id, engine, signal);
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    // A cancelled run may already be replaced by another.
    if (signal.aborted) return;
    this.#abort = null;
    this.#store.update({ batch: null, hasRun: true });
  }

  /** Cancels the photos in progress; clean photos stay clean. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#store.update({ batch: null });
  }

  async #clean(id: number, engine: Engine, signal: AbortSignal): Promise<void> {
    const listed = photosOf(this.#store.state).find((one) => one.id === id);
    // The photo was removed meanwhile.
    if (!listed) return this.#count({ done: 1 });
    this.#report(id, 0);
    try {
      const { photo, inspection } = listed.kept;
      const { value: facts } = inspection
        ? { value: inspection }
        : await this.#device.inspect(listed.file, {}, { signal });
      const size = photo?.size ?? shownSize(facts);
      const result = await cleanPhoto(
        engine,
        {
          file: listed.file,
          size,
          settings: settingsOf(this.#store.state.settings, listed.kept),
          source: facts,
          known: listed.kept,
        },
        {
          signal,
          onProgress: ({ stage, done, total }) => {
            if (stage === 'encoding') this.#report(id, done / total);
          },
        },
      );
      this.#keep(listed, result, size);
      this.#count({ done: 1 });
    } catch (error) {
      if (signal.aborted) return;
      this.#store.update(changing(this.#store.state, id, {}, errorMessageFrom(error).title));
      this.#count({ done: 1, failed: 1 });
    } finally {
      this.#report(id, null);
    }
  }

  #keep({ id }: ListedPhoto, result: NonNullable<ListedPhoto['kept']['result']>, size: Size): void {
    const { state } = this.#store;
    const before = photosOf(state).find((one) => one.id === id)?.kept;
    if (!before) {
      URL.revokeObjectURL(result.url);
      return;
    }
    if (before.result) URL.revokeObjectURL(before.result.url);
    const photo = before.photo && { ...before.photo, size: before.photo.size ?? size };
    this.#store.update(changing(state, id, { photo, result, view: 'result' }));
  }

  /** @param share null when work on the photo has ended */
  #report(id: number, share: number | null): void {
    const { batch } = this.#store.state;
    if (!batch) return;
    const known = batch.working.get(id);
    // Every render costs time, and a bar needs no finer steps.
    if (share !== null && known !== undefined && share - known < LEAST_STEP && share < 1) return;
    const working = new Map(batch.working);
    if (share === null) working.delete(id);
    else working.set(id, share);
    this.#store.update({ batch: { ...batch, working } });
  }

  #count({ done, failed = 0 }: Partial<BatchProgress> & { readonly done: number }): void {
    const { batch } = this.#store.state;
    if (batch) {
      this.#store.update({ batch: { ...batch, done: batch.done + done, failed: batch.failed + failed } });
    }
  }
}
