import { SanitizerError } from '../../../client/error.ts';
import { DeviceError } from '../engine/device_error.ts';
import type { ErrorMessage } from '../state.ts';
import { deviceErrorText, errorText } from '../strings.ts';

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * The message for any thrown value.
 * @param retry makes the same call again; offered only for errors that may not recur
 */
export function errorMessageFrom(error: unknown, retry?: () => void): ErrorMessage {
  if (error instanceof DeviceError) return deviceErrorMessage(error, retry);
  const isServiceError = error instanceof SanitizerError;
  const code = isServiceError ? error.code : 'unexpected_answer';
  const { title, advice } = errorText(code);
  // For a failed connection the client's message would only repeat the title.
  const hasDetail = isServiceError && code !== 'network_error';
  const canRetry = isServiceError && (error.status === 0 || error.status >= 500);
  const issues = isServiceError ? error.issues.map(({ path, message }) => `${path}: ${message}`) : [];
  return {
    title,
    message: '',
    detail: issues.length > 0 ? issues.join('; ') : hasDetail ? asSentence(error.message) : undefined,
    advice,
    // Shown only for failures of the service, which an operator can find by this id.
    requestId: isServiceError && error.status >= 500 ? error.requestId : undefined,
    retry: canRetry ? retry : undefined,
  };
}

function deviceErrorMessage({ code, message }: DeviceError, retry?: () => void): ErrorMessage {
  const { title, advice } = deviceErrorText(code);
  const canRetry = code === 'not_loaded' || code === 'overloaded';
  const detail = message ? asSentence(message) : undefined;
  return { title, message: '', detail, advice, retry: canRetry ? retry : undefined };
}
