import type { Controller } from '../controller.ts';
import { announce, byId } from '../dom.ts';
import { convertHere } from '../pictures/convert_here.ts';
import type { ListedPhoto, Store } from '../state.ts';
import { leftOutMessage } from '../strings.ts';
import { t } from '../texts.ts';
import { newPhoto, photosOf, removing, type SourceFile } from './photo_list.ts';

/** Largest accepted files, in bytes: the service's limit, and what fits in this device's memory. */
export const MAX_BYTES = { service: 25 * 1024 * 1024, device: 64 * 1024 * 1024 } as const;
/** The fraction of the pixels that would just fit which a smaller copy gets, as a safety margin. */
const SAFETY = 0.8;
/** Most photos in the list: more than anybody looks through, and few enough for the page. */
const MAX_PHOTOS = 500;

/** Adds photos to the list, and removes them. */
export class Photos {
  readonly #store: Store;
  readonly #controller: Controller;

  constructor(store: Store, controller: Controller) {
    this.#store = store;
    this.#controller = controller;
  }

  /** Adds files and shows the first of them; a message names those that can't be cleaned. */
  add(files: readonly SourceFile[], notPhotos: readonly SourceFile[] = []): void {
    // The choice to leave faces visible does not carry over to new photos.
    if (this.#store.state.photos.length === 0 || this.#store.state.place === 'intake')
      this.#store.updateSettings({ faces: true });
    const { state } = this.#store;
    const limit = MAX_BYTES[state.engine];
    const room = MAX_PHOTOS - state.photos.length;
    const fitting = files.filter(({ file }) => file.size > 0 && file.size <= limit);
    const taken = fitting.slice(0, room).map(newPhoto);
    const leftOut = {
      empty: files.filter(({ file }) => file.size === 0).map(({ file }) => file),
      tooLarge: files.filter(({ file }) => file.size > limit).map(({ file }) => file),
      beyond: fitting.slice(taken.length).map(({ file }) => file),
      notPhotos: notPhotos.map(({ file }) => file),
    };
    this.#store.update({
      photos: [...photosOf(state), ...taken],
      hasRun: false,
      ...(taken.length > 0 && { place: 'editor' as const }),
    });
    const [first] = taken;
    if (first) {
      this.#controller.show(first.id);
      announce(
        taken.length === 1
          ? t('looked.at', { name: first.file.name })
          : t('photos.added', { count: taken.length }),
      );
      byId('main').focus({ preventScroll: true });
    }
    const message = leftOutMessage(leftOut, limit, MAX_PHOTOS);
    if (!message) {
      this.#store.update({ leftOut: null });
      return;
    }
    const tooLarge = files.filter(({ file }) => file.size > limit);
    const action =
      tooLarge.length > 0
        ? { label: t('convert.smaller'), run: () => void this.#shrink(tooLarge, limit) }
        : { label: t('remedy.chooseAnother'), run: () => byId('file').click() };
    this.#store.update({ leftOut: { ...message, actions: [action] } });
  }

  /** Adds smaller copies of files, made by this browser one after the other. */
  async #shrink(files: readonly SourceFile[], limit: number): Promise<void> {
    this.#store.update({
      leftOut: { title: t('convert.working'), message: '', advice: t('convert.workingAdvice') },
    });
    const smaller: SourceFile[] = [];
    for (const { file, folder } of files) {
      // The number of bytes grows in proportion to the pixels, or more slowly.
      const copy = await convertHere(file, (limit / file.size) * SAFETY).catch(() => null);
      if (copy) smaller.push({ file: copy, folder });
    }
    this.#store.update({
      leftOut:
        smaller.length === files.length
          ? null
          : {
              title: t('convert.failed'),
              message: '',
              advice: t('convert.failedAdvice'),
              actions: [{ label: t('remedy.chooseAnother'), run: () => byId('file').click() }],
            },
    });
    if (smaller.length > 0) this.add(smaller);
  }

  /** Removes a photo from the list, and shows its neighbour. */
  remove(id: number): void {
    const listed = photosOf(this.#store.state).find((one) => one.id === id);
    if (!listed) return;
    release(listed);
    const wasShown = id === this.#store.state.currentId;
    this.#store.update(removing(this.#store.state, id));
    const { currentId } = this.#store.state;
    if (wasShown && currentId !== null) this.#controller.show(currentId);
    announce(t('photos.removed', { name: listed.file.name }));
  }
}

/** Frees the memory of a photo's pictures. */
function release({ kept }: ListedPhoto): void {
  if (kept.photo?.displayUrl) URL.revokeObjectURL(kept.photo.displayUrl);
  if (kept.result) URL.revokeObjectURL(kept.result.url);
}
