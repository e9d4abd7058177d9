import { describe, expect, it } from 'vitest';
import { ApiError, errorResponse, errorTable, toApiError } from '../../../src/api/answers/errors.ts';
import {
  decodingFault,
  Fault,
  limitFault,
  OverloadedFault,
  ParameterFault,
  unsupportedFault,
} from '../../../src/faults.ts';

describe('faults of the core', () => {
  it.each([
    [decodingFault('cut at row 7'), 422, 'unprocessable_image', 'cut at row 7'],
    [limitFault('too many pixels'), 422, 'unprocessable_image', 'too many pixels'],
    [unsupportedFault('a HEIC'), 422, 'unprocessable_image', 'a HEIC'],
    [new OverloadedFault('full', 5), 503, 'overloaded', 'full'],
    [new Fault('unclean', 'a secret detail'), 500, 'internal_error', errorTable.internal_error.meaning],
    [new TypeError('a secret detail'), 500, 'internal_error', errorTable.internal_error.meaning],
    ['thrown text', 500, 'internal_error', errorTable.internal_error.meaning],
  ])('%o become %i %s', (thrown, status, code, message) => {
    const error = toApiError(thrown);
    expect([error.status, error.code, error.message]).toEqual([status, code, message]);
  });

  it('of a parameter become an issue that names the field', () => {
    const error = toApiError(new ParameterFault('crop', 'Expected more'));
    expect(error.code).toBe('invalid_ops');
    expect(error.extras.issues).toEqual([{ path: 'crop', message: 'Expected more', code: 'out_of_image' }]);
  });

  it('that are ApiErrors already pass unchanged', () => {
    const error = new ApiError('not_found');
    expect(toApiError(error)).toBe(error);
  });
});

describe('errorResponse', () => {
  it('tells the time to wait in the body and as a header', async () => {
    const answer = errorResponse(
      new ApiError('rate_limit_exceeded', 'wait', { retryAfterSeconds: 42 }),
      'id-1',
      'docs',
    );
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('42');
    expect(await answer.json()).toEqual({
      error: 'rate_limit_exceeded',
      message: 'wait',
      docs: 'docs',
      retry_after_seconds: 42,
      request_id: 'id-1',
    });
  });

  it('is never cached, and a 401 names the expected scheme', () => {
    const answer = errorResponse(new ApiError('invalid_api_key'), 'id', 'docs');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });
});
