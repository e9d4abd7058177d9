import { expect, test, vi } from 'vitest';
import { anonymousWindows } from '../../../src/api/billing/meter_client.ts';
import { createApp } from '../../../src/app.ts';
import { callService } from '../../fixtures/service.ts';
import { bindings } from '../billing/counting_app.ts';

test('forgets anonymous networks whose window has passed, though no other of them calls', async () => {
  const now = vi.spyOn(Date, 'now');
  // Networks of other tests in this isolate have no window any more by then.
  const start = Date.now() + 60_000;
  try {
    anonymousWindows.expire(start);
    anonymousWindows.admit('network', 1, { limit: 1, cap: null }, start);
    for (const [later, remembered] of [
      [59_999, 1],
      [60_000, 0],
    ] as const) {
      now.mockReturnValue(start + later);
      await createApp().request('/v1/health', {}, bindings);
      expect([later, anonymousWindows.size]).toEqual([later, remembered]);
    }
  } finally {
    now.mockRestore();
  }
});

test('answers as it is described', async () => {
  expect((await callService('/v1/health')).status).toBe(200);
});
