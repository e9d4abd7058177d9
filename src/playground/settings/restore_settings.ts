import type { Store } from '../state.ts';
import { offeredDetectors } from './offered_detectors.ts';
import { readRemembered, rememberedText } from './remembered_settings.ts';

/** Storage key of the settings on this device. */
const STORAGE_KEY = 'image-sanitizer-settings';

/** Local storage; null if the browser blocks it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Restores the settings of the last visit, and remembers changes. */
export function rememberSettings(store: Store): void {
  const { detectors = [], ...others } = readRemembered(storage()?.getItem(STORAGE_KEY) ?? null);
  // The deployment may offer other detectors today.
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
      // Storage is full or blocked: the settings are kept until the page is left.
    }
  });
}
