import type { Controller } from '../controller.ts';
import { announce, byId, el, setText } from '../dom.ts';
import { drawThumbnail } from '../pictures/thumbnails.ts';
import { rove } from '../rove.ts';
import type { ListedPhoto, PageSettings, Store } from '../state.ts';
import { describeBatch, describeEnd, describePhotos } from '../strings.ts';
import { t } from '../texts.ts';
import type { CleanAll } from './clean_all.ts';
import { photosOf, statusOf } from './photo_list.ts';
import type { Photos } from './take_photos.ts';

/** Most failed photos whose names are read out by screen readers; the list has all. */
const MOST_HEARD = 5;
/** The mark for each state of a photo. */
const statusMarks = { waiting: '', working: '…', clean: '✓', changed: '↻', failed: '!' } as const;

/** The strip of thumbnails, with the actions on all photos; shown when there are several. */
export function showPhotoStrip(store: Store, photos: Photos, controller: Controller, all: CleanAll): void {
  const section = byId('photos');
  const strip = byId('strip');
  const bar = byId<HTMLProgressElement>('batch-bar');
  const cleanAll = byId<HTMLButtonElement>('clean-all');
  const cancel = byId('batch-cancel');
  const zip = byId('save-zip');
  const items = new Map<number, HTMLElement>();
  const statuses = memoizedStatus();

  strip.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-photo]') : null;
    if (button) controller.show(Number(button.dataset.photo));
  });
  byId('remove-photo').addEventListener('click', () => {
    const { currentId } = store.state;
    if (currentId !== null) photos.remove(currentId);
  });
  cleanAll.addEventListener('click', () => {
    void all.run().then(() => {
      // A cancelled run does not announce its end.
      if (!store.state.hasRun) return;
      const listed = store.state.photos;
      const failed = listed.filter(({ failure }) => failure !== null).slice(0, MOST_HEARD);
      announce(
        [
          describeEnd(...countEnd(listed)),
          ...failed.map(({ file, failure }) => `${file.name}: ${failure}.`),
        ].join(' '),
      );
    });
    // After it is shown.
    queueMicrotask(() => cancel.focus());
  });
  cancel.addEventListener('click', () => {
    all.cancel();
    queueMicrotask(() => cleanAll.focus());
  });

  const countStatuses = () => {
    const counts = { waiting: 0, clean: 0, changed: 0, failed: 0 };
    for (const listed of photosOf(store.state)) counts[statuses(listed, store.state.settings)]++;
    return counts;
  };

  showEnd(store, controller);
  rove(strip);
  store.subscribe(() => {
    const { currentId, batch, settings, place, hasRun } = store.state;
    const listed = photosOf(store.state);
    // With several photos, the ZIP file is the main result.
    byId('download').classList.toggle('strong', !hasRun);
    section.hidden = listed.length < 2 || place === 'intake';
    for (const [id, item] of items) {
      if (listed.some((photo) => photo.id === id)) continue;
      items.delete(id);
      item.remove();
    }
    if (section.hidden) return;
    for (const photo of listed) {
      let item = items.get(photo.id);
      if (!item) {
        item = stripItem(photo);
        items.set(photo.id, item);
        strip.append(item);
      }
      const share = batch?.working.get(photo.id);
      const status = share === undefined ? statuses(photo, settings) : 'working';
      const button = item.firstElementChild as HTMLElement;
      (button.firstElementChild as HTMLElement).style.rotate = `${photo.kept.turn}deg`;
      button.dataset.status = status;
      button.setAttribute('aria-label', `${photo.file.name}, ${t(`status.${status}`)}`);
      const isCurrent = photo.id === currentId;
      if (isCurrent && button.getAttribute('aria-current') !== 'true') {
        button.setAttribute('aria-current', 'true');
        item.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else if (!isCurrent) button.removeAttribute('aria-current');
      setText(button.lastElementChild!, statusMarks[status]);
    }

    const counts = countStatuses();
    zip.classList.toggle('strong', hasRun);
    setText(byId('photos-count'), batch ? describeBatch(batch) : describePhotos(listed.length, counts.clean));
    // The focus moves to the next action, once that is shown.
    if (!batch && document.activeElement === cancel)
      setTimeout(() => document.activeElement !== cleanAll && (zip.hidden ? cleanAll : zip).focus());
    bar.hidden = cancel.hidden = batch === null;
    cleanAll.hidden = batch !== null || counts.clean === listed.length;
    const isRest = hasRun && counts.clean + counts.failed === listed.length;
    setText(cleanAll, t(isRest ? 'photos.tryRest' : 'photos.cleanAll'));
    if (batch) {
      const partly = [...batch.working.values()].reduce((sum, share) => sum + share, 0);
      bar.value = batch.total === 0 ? 1 : (batch.done + partly) / batch.total;
    }
  });
}

/** How many photos were cleaned, even if settings changed since, and how many failed. */
const countEnd = (photos: readonly ListedPhoto[]): [clean: number, failed: number] => {
  const failed = photos.filter(({ failure }) => failure !== null).length;
  return [photos.filter(({ kept, failure }) => kept.result && failure === null).length, failed];
};

/** Shows the end of a run: each photo that failed, by name and reason, as a link to it. */
function showEnd(store: Store, controller: Controller): void {
  byId('batch-failures').addEventListener('click', ({ target }) => {
    const id = target instanceof HTMLElement ? target.dataset.photo : undefined;
    if (id !== undefined) controller.show(Number(id));
  });
  store.view(
    ({ hasRun, photos }) => [hasRun, photos],
    (hasRun, photos) => {
      byId('batch-end').hidden = !hasRun;
      if (!hasRun) return;
      const failed = photos.filter(({ failure }) => failure !== null);
      setText(byId('batch-end-title'), describeEnd(...countEnd(photos)));
      byId('batch-failures').replaceChildren(
        ...failed.map(({ id, file, failure }) => {
          const button = el('button', { type: 'button', className: 'link', textContent: file.name });
          button.dataset.photo = String(id);
          return el('li', {}, button, ` ${failure}`);
        }),
      );
    },
  );
}

function stripItem({ id, file }: ListedPhoto): HTMLElement {
  const canvas = el('canvas', { width: 1, height: 1 });
  const name = el('span', { className: 'thumb-name', textContent: file.name });
  const button = el(
    'button',
    { type: 'button', className: 'thumb', title: file.name },
    canvas,
    name,
    el('span', { className: 'thumb-mark' }),
  );
  button.dataset.photo = String(id);
  const item = el('li', {}, button);
  queueMicrotask(() => void drawThumbnail(file, canvas).then((isDrawn) => (name.hidden = isDrawn)));
  return item;
}

/** Computes a photo's status again only when it or the settings have changed: planning 100 takes time. */
function memoizedStatus(): typeof statusOf {
  const known = new WeakMap<object, { key: unknown[]; status: ReturnType<typeof statusOf> }>();
  return (listed: ListedPhoto, settings: PageSettings) => {
    const { result, turn, regions, crop, detectedFaces, kindsLookedFor } = listed.kept;
    const key = [...[settings, result, turn, regions, crop, detectedFaces, kindsLookedFor], listed.failure];
    const before = known.get(listed.file);
    if (before?.key.every((part, index) => part === key[index])) return before.status;
    const status = statusOf(listed, settings);
    known.set(listed.file, { key, status });
    return status;
  };
}
