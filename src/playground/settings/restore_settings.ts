import type { Store } from '../state.ts';
import { offeredDetectors } from './offered_detectors.ts';
import { readRemembered, rememberedText } from './remembered_settings.ts';

/** Under this name the settings are kept on this device. */
const STORAGE_KEY = 'image-sanitizer-settings';

/** Local storage; null where the browser blocks it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Takes up the settings of the last visit, and remembers those that are changed. */
export function rememberSettings(store: Store): void {
  const { detectors = [], ...others } = readRemembered(storage()?.getItem(STORAGE_KEY) ?? null);
  // A deployment may have others today.
  const offered = offeredDetectors.map(([name]) => name);
  store.updateSettings({ ...others, detectors: offered.filter((name) => detectors.includes(name)) });
  let last = rememberedText(store.state.settings);
  store.subscribe(() => {
    const text = rememberedText(store.state.settings);
    if (text === last) return;
    last = text;
    try {
      storage()?.setItem(STORAGE_KEY, text);
    } catch {
      // Full or blocked: they hold until the page is left.
    }
  });
}
