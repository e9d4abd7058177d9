import { describe, expect, it } from 'vitest';
import { SanitizerError } from '../../../client/index.ts';
import { errorCodes } from '../../../src/ops/responses.ts';
import { DeviceError } from '../../../src/playground/engine/device_error.ts';
import { newPhoto } from '../../../src/playground/photos/photo_list.ts';
import { errorMessageFrom } from '../../../src/playground/service/error_message.ts';
import { type Remedies, withRemedies } from '../../../src/playground/service/remedies.ts';
import type { Photo, State } from '../../../src/playground/state.ts';

const photo = (width: number, height: number, displayedBy: Photo['displayedBy'] = 'browser'): Photo => ({
  file: new File([''], 'a.bmp'),
  displayUrl: 'blob:x',
  displayedBy,
  size: { width, height },
});

/** Labels of an error's buttons, and what pressing them calls. */
function buttonsOf(
  error: unknown,
  shown: Photo | null,
  apiKey: string | null = null,
  photos: State['photos'] = [],
) {
  const calls: string[] = [];
  const remedies = new Proxy({} as Remedies, {
    get: (_, name) => (value: unknown) =>
      calls.push(value ? `${String(name)} ${JSON.stringify(value)}` : String(name)),
  });
  const retry = () => calls.push('retry');
  const message = withRemedies(
    errorMessageFrom(error, retry),
    error,
    { photo: shown, apiKey, inspection: null, photos },
    remedies,
  );
  for (const { run } of message.actions ?? []) run();
  message.retry?.();
  return { labels: (message.actions ?? []).map(({ label }) => label), calls, title: message.title };
}

describe('what is offered after an error', () => {
  it('is a conversion where the browser reads what the pipeline can’t', () => {
    const refusal = new DeviceError('unprocessable_image', 'Expected a JPEG');
    const readable = buttonsOf(refusal, photo(300, 200));
    expect(readable.calls).toEqual(['convert', 'chooseAnother']);
    expect(readable.labels[0]).toBe('Convert here and go on');
    expect(buttonsOf(refusal, photo(10_000, 6000)).labels[0]).toBe('Make it smaller here and go on');
    expect(buttonsOf(refusal, photo(300, 200, 'engine')).calls).toEqual(['chooseAnother']);
    expect(buttonsOf(refusal, null).calls).toEqual(['chooseAnother']);
    const several = [1, 2].map(() => newPhoto({ file: new File([''], 'a.bmp'), folder: '' }));
    expect(buttonsOf(refusal, null, null, several).calls).toEqual(['removePhoto']);
  });

  it('is to choose a JPEG in place of a HEIC photo that this browser can’t read, and says how to make one', () => {
    const refusal = new DeviceError('unprocessable_image', 'This is HEIC.');
    const heic = { ...photo(0, 0, null), file: new File([''], 'IMG_1.HEIC'), displayUrl: null, size: null };
    const { labels, calls, title } = buttonsOf(refusal, heic);
    expect([labels, calls]).toEqual([['Choose the JPEG'], ['chooseAnother']]);
    expect(title).toContain('HEIC');
    const several = [1, 2].map(() => newPhoto({ file: heic.file, folder: '' }));
    expect(buttonsOf(refusal, heic, null, several).calls).toEqual(['chooseAnother', 'removePhoto']);
    expect(buttonsOf(refusal, heic, null, several.slice(1)).calls).toEqual(['chooseAnother']);
    // Where the browser reads it, it is converted here.
    const readable = { ...photo(300, 200), file: heic.file };
    expect(buttonsOf(refusal, readable).calls).toEqual(['convert', 'chooseAnother']);
  });

  it('is this device where the service fails, and to forget a key that it does not take', () => {
    const failure = (code: (typeof errorCodes)[number], status: number) =>
      new SanitizerError(code, 'No.', status);
    expect(buttonsOf(failure('overloaded', 503), photo(9, 9)).calls).toEqual(['useDevice', 'retry']);
    expect(buttonsOf(failure('invalid_api_key', 401), photo(9, 9), 'isk_x').calls).toEqual([
      'forgetKey',
      'useDevice',
    ]);
    expect(buttonsOf(failure('payload_too_large', 413), photo(9, 9)).calls).toEqual([
      'useDevice',
      'chooseAnother',
    ]);
  });

  it('is something after every refusal', () => {
    for (const code of errorCodes) {
      expect(buttonsOf(new SanitizerError(code, 'No.', 400), photo(9, 9)).calls.length, code).toBeGreaterThan(
        0,
      );
    }
    for (const code of [
      'not_loaded',
      'invalid_ops',
      'unprocessable_image',
      'payload_too_large',
      'overloaded',
      'internal_error',
    ] as const) {
      expect(buttonsOf(new DeviceError(code, 'No.'), photo(9, 9)).calls.length, code).toBeGreaterThan(0);
    }
  });
});
