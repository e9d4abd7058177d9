import { showAccount } from './account.ts';
import { showActionBar } from './action_bar.ts';
import { showBoxFields } from './box_fields.ts';
import { showComparison } from './comparison.ts';
import { Controller } from './controller.ts';
import { showControls } from './controls.ts';
import { deviceEngine, threadsFor } from './engine/device_engine.ts';
import { cores } from './engine/page_threads.ts';
import { showErrorMessage } from './error_messages.ts';
import { showFindings } from './findings.ts';
import { editBoxesByPointer } from './gestures.ts';
import { acceptImages } from './image_inputs.ts';
import { showMosaicPreview } from './mosaic_preview.ts';
import { workOffline } from './offline/install.ts';
import { showOverlay } from './overlay.ts';
import { showPicture } from './picture.ts';
import { RequestQueue } from './request_queue.ts';
import { showResult } from './result.ts';
import { Store } from './state.ts';

const store = new Store();
const queue = new RequestQueue(() => store.scheduleRender());
const device = deviceEngine(threadsFor(cores));
const controller = new Controller(store, queue, device);

acceptImages(store, (file) => controller.accept(file));
showErrorMessage(store);
showPicture(store);
showMosaicPreview(store);
showOverlay(store);
editBoxesByPointer(store);
showFindings(store);
showControls(store);
showBoxFields(store);
showAccount(store, queue, controller);
showActionBar(store, queue, controller);
showComparison(store);
showResult(store);
workOffline(store, ([file]) => file && controller.accept(file));
store.scheduleRender();

// After the first paint: the page is there first, and what it needs for a photo comes while one is chosen.
if (store.state.engine === 'device') requestAnimationFrame(() => setTimeout(() => device.prepare()));
