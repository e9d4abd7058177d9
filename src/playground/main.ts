import { showAccount } from './account.ts';
import { showActionBar } from './action_bar.ts';
import { showBoxFields } from './box_fields.ts';
import { editBoxesByKeys } from './box_keys.ts';
import { CleanAll } from './clean_all.ts';
import { showComparison } from './comparison.ts';
import { Controller } from './controller.ts';
import { showControls } from './controls.ts';
import { deviceEngine, threadsFor } from './engine/device_engine.ts';
import { cores } from './engine/page_threads.ts';
import { serviceEngine } from './engine/service_engine.ts';
import { showErrorMessage } from './error_messages.ts';
import { showFaceStrip } from './face_strip.ts';
import { showFindings } from './findings.ts';
import { editBoxesByPointer } from './gestures.ts';
import { showGrowth } from './growth.ts';
import { acceptImages } from './image_inputs.ts';
import { showLanguageChoice, startLanguage } from './language_choice.ts';
import { guardLeaving } from './leaving.ts';
import { showMosaicPreview } from './mosaic_preview.ts';
import { workOffline } from './offline/install.ts';
import { showOutputNotes } from './output_notes.ts';
import { showOverlay } from './overlay.ts';
import { panAndPinch } from './pan_and_pinch.ts';
import { showPhotoStrip } from './photo_strip.ts';
import { Photos } from './photos.ts';
import { showPicture } from './picture.ts';
import { rememberSettings } from './remember_settings.ts';
import { showReportSpots } from './report_spots.ts';
import { RequestQueue } from './request_queue.ts';
import { showResult } from './result.ts';
import { saveAll } from './save_all.ts';
import { showSecondLook } from './second_look.ts';
import { shareResult } from './share_result.ts';
import { Store } from './state.ts';
import { showUndo } from './undo.ts';
import { showZoom } from './zoom.ts';

/** How long a photo among all waits for the service's rate limit: its window, and a little. */
const LONGEST_WAIT_MS = 65_000;

const store = new Store();
startLanguage(store);
// A finger that swipes over the photo scrolls the page, until drawing is chosen.
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

acceptImages(store, (files) => photos.add(files));
showPhotoStrip(store, photos, controller, all);
saveAll(store);
showErrorMessage(store);
showLanguageChoice(store);
showPicture(store);
showMosaicPreview(store);
const zoom = showZoom(store);
showOverlay(store, zoom);
panAndPinch(store, zoom, editBoxesByPointer(store, zoom));
editBoxesByKeys(store);
showFaceStrip(store, zoom);
showUndo(store);
showFindings(store);
showControls(store);
showBoxFields(store);
showAccount(store, queue, controller);
showActionBar(store, queue, controller);
showComparison(store);
showResult(store);
showGrowth(store, controller);
showReportSpots(store);
showSecondLook(store, () => controller.sanitize());
shareResult(store);
showOutputNotes(store);
workOffline(store, (files) => photos.add(files.map((file) => ({ file, folder: '' }))));
guardLeaving(store);
store.scheduleRender();

// After the first paint: the page is there first, and what it needs for a photo comes while one is chosen.
if (store.state.engine === 'device') requestAnimationFrame(() => setTimeout(() => device.prepare()));
