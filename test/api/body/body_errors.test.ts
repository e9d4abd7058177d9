import { describe, expect, it } from 'vitest';
import { imageTooLarge, opsTooLarge, remoteImage } from '../../../src/api/body/body_errors.ts';

describe('errors of request bodies', () => {
  it('have the statuses of the error table', () => {
    expect([imageTooLarge().status, opsTooLarge('It').status, remoteImage('It').status]).toEqual([
      413, 413, 400,
    ]);
    expect(imageTooLarge(99).message).toContain('declares 99 bytes');
  });
});
