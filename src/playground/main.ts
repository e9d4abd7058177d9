import { Controller } from './controller.ts';
import { deviceEngine, threadsFor } from './engine/device_engine.ts';
import { cores } from './engine/page_threads.ts';
import { serviceEngine } from './engine/service_engine.ts';
import { showLanguageChoice, startLanguage } from './language_choice.ts';
import { workOffline } from './offline/install.ts';
import { CleanAll } from './photos/clean_all.ts';
import { acceptImages } from './photos/image_inputs.ts';
import { guardLeaving } from './photos/leaving.ts';
import { showPhotoStrip } from './photos/photo_strip.ts';
import { saveAll } from './photos/save_all.ts';
import { Photos } from './photos/take_photos.ts';
import { showResult } from './result/result.ts';
import { showAccount } from './service/account.ts';
import { showActionBar } from './service/action_bar.ts';
import { showMessages } from './service/message_box.ts';
import { RequestQueue } from './service/request_queue.ts';
import { showBoxFields } from './settings/box_fields.ts';
import { showControls } from './settings/controls.ts';
import { showOutputNotes } from './settings/output_notes.ts';
import { rememberSettings } from './settings/restore_settings.ts';
import { editBoxesByKeys } from './stage/box_keys.ts';
import { showFaceStrip } from './stage/face_strip.ts';
import { editBoxesByPointer } from './stage/gestures.ts';
import { showMosaicPreview } from './stage/mosaic_preview.ts';
import { showOverlay } from './stage/overlay.ts';
import { panAndPinch } from './stage/pan_and_pinch.ts';
import { showPicture } from './stage/picture.ts';
import { showTurn } from './stage/turn.ts';
import { showUndo } from './stage/undo.ts';
import { showZoom } from './stage/zoom.ts';
import { Store } from './state.ts';

/** How long a photo in a batch waits for the service's rate limit: the window and a little more. */
const LONGEST_WAIT_MS = 65_000;

const store = new Store();
startLanguage(store);
// A finger swiping over the photo scrolls the page until drawing is chosen.
if (matchMedia('(pointer: coarse)').matches) store.update({ tool: 'move' });
rememberSettings(store);
const queue = new RequestQueue(() => store.scheduleRender());
const device = deviceEngine(threadsFor(cores));
const controller = new Controller(store, queue, device);

const photos = new Photos(store, controller);
const all = new CleanAll(
  store,
  (name) =>
    name === 'device'
      ? { engine: device, parallel: threadsFor(cores) }
      : { engine: serviceEngine(store.state.apiKey, LONGEST_WAIT_MS), parallel: 1 },
  device,
);

acceptImages(store, (files, others) => photos.add(files, others));
showPhotoStrip(store, photos, controller, all);
saveAll(store);
showMessages(store);
showLanguageChoice(store);
showPicture(store);
showMosaicPreview(store);
const zoom = showZoom(store);
showOverlay(store, zoom);
panAndPinch(store, zoom, editBoxesByPointer(store, zoom));
editBoxesByKeys(store);
showFaceStrip(store, zoom);
showUndo(store);
showTurn(store);
showControls(store);
showBoxFields(store);
showAccount(store, queue, controller);
showActionBar(store, queue, controller);
showResult(store);
showOutputNotes(store);
workOffline(store, (files) => photos.add(files.map((file) => ({ file, folder: '' }))));
guardLeaving(store);
store.scheduleRender();

/** What does nothing without a photo: loaded after the first paint, and again on demand if that failed. */
let hasMore = false;
async function loadMore(): Promise<void> {
  if (hasMore) return;
  hasMore = true;
  try {
    const { showWithPhoto } = await import('./with_photo.ts');
    showWithPhoto(store, controller);
    store.scheduleRender();
  } catch {
    hasMore = false;
  }
}
store.view(
  ({ photo, inspection, result }) => photo && [photo.file, inspection, result],
  () => void loadMore(),
);
requestAnimationFrame(() => setTimeout(loadMore));

// After the first paint: the page appears first, and the parts for a photo load while one is being chosen.
if (store.state.engine === 'device') requestAnimationFrame(() => setTimeout(() => device.prepare()));
