import { SanitizerError } from '../../../client/error.ts';
import { DeviceError } from '../engine/device_error.ts';
import { isHeic } from '../photos/heic.ts';
import { defaultSettings } from '../settings/ops.ts';
import type { ErrorAction, ErrorMessage, State } from '../state.ts';
import { formatNumber, t } from '../texts.ts';

/** Most pixels that the pipeline accepts (src/sanitize/read_header.ts). */
const MAX_PIXELS = 50e6;

/** Actions against errors. */
export interface Remedies {
  /** Puts this browser's own copy of the photo in its place. */
  convert(): void;
  chooseAnother(): void;
  /** Repeats the failed call on this device. */
  useDevice(): void;
  forgetKey(): void;
  /** Removes the photo from the list. */
  removePhoto(): void;
  /** Changes settings, and repeats the failed call. */
  changeSettings(change: Partial<State['settings']>): void;
}

/** Errors of the file itself: another call would end the same way. */
const ABOUT_FILE = new Set(['unprocessable_image', 'unsupported_media_type', 'payload_too_large']);
const ABOUT_KEY = new Set(['invalid_api_key', 'quota_exceeded', 'admin_disabled']);

/** Adds buttons that do what the message advises, the most useful first. */
export function withRemedies(
  message: ErrorMessage,
  error: unknown,
  { photo, photos, apiKey, inspection }: Pick<State, 'photo' | 'photos' | 'apiKey' | 'inspection'>,
  remedies: Remedies,
): ErrorMessage {
  const isService = error instanceof SanitizerError;
  const code = isService || error instanceof DeviceError ? error.code : undefined;
  const action = (label: string, run: () => void): ErrorAction => ({ label, run });
  const others =
    photos.length > 1
      ? [action(t('photos.remove'), () => remedies.removePhoto())]
      : [action(t('remedy.chooseAnother'), () => remedies.chooseAnother())];
  const useDevice = action(t('remedy.useDevice'), () => remedies.useDevice());
  if (code !== undefined && ABOUT_FILE.has(code)) {
    const told = { ...message, message: message.message || reasonOf(inspection) };
    if (isService && code === 'payload_too_large') return { ...told, actions: [useDevice, ...others] };
    if (photo?.displayedBy !== 'browser' || !photo.size) {
      if (!photo || !isHeic(photo.file)) return { ...told, actions: others };
      const choose = action(t('heic.choose'), () => remedies.chooseAnother());
      const actions = photos.length > 1 ? [choose, ...others] : [choose];
      return { ...message, title: t('heic.title'), detail: undefined, advice: t('heic.advice'), actions };
    }
    const isTooLarge = photo.size.width * photo.size.height > MAX_PIXELS;
    const [title, advice, label] = isTooLarge
      ? [t('convert.pixels'), t('convert.pixelsAdvice'), t('convert.smaller')]
      : [t('convert.format'), t('convert.formatAdvice'), t('convert.here')];
    return { ...told, title, advice, actions: [action(label, () => remedies.convert()), ...others] };
  }
  if (code === 'invalid_ops') {
    const { turn: _, ...rest } = defaultSettings;
    const reset = () =>
      remedies.changeSettings({
        ...rest,
        format: 'auto',
        quality: 'auto',
        regions: [],
        crop: null,
      });
    return { ...message, actions: [action(t('remedy.resetSettings'), reset)] };
  }
  if (isService) {
    const forget = action(t('remedy.forgetKey'), () => remedies.forgetKey());
    return { ...message, actions: apiKey && ABOUT_KEY.has(error.code) ? [forget, useDevice] : [useDevice] };
  }
  if (code === 'internal_error') {
    return {
      ...message,
      actions: [action(t('remedy.asPng'), () => remedies.changeSettings({ format: 'png' }))],
    };
  }
  return message;
}

/** Why the pipeline can't process a file, if its inspection shows it; otherwise empty. */
function reasonOf(inspection: State['inspection']): string {
  if (!inspection) return '';
  const pixels = inspection.width * inspection.height;
  if (pixels > MAX_PIXELS) return t('reason.pixels', { megapixels: formatNumber(pixels / 1e6, 1) });
  return inspection.complete ? '' : t('reason.cut');
}
