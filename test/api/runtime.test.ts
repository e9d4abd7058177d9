import { afterAll, expect, it, vi } from 'vitest';
import type { DeployedDetector } from '../../src/detectors/deployed.ts';

vi.resetModules();
afterAll(() => void vi.resetModules());

it('jobs have the detectors of the deployment, and the budget less what these hold', async () => {
  const { isolateRuntime } = await import('../../src/api/runtime.ts');
  const detector: DeployedDetector = { name: 'a', kinds: ['a'], sha256: '', passMs: 1, detect: () => [] };
  const DETECTORS = { detectors: [detector], heldBytes: 10 * 1024 * 1024 };
  const { budget, detectors } = isolateRuntime({ MEMORY_BUDGET_MB: '128', DETECTORS });
  expect(budget.capacity).toBe(90 * 1024 * 1024);
  expect(detectors).toEqual([detector]);
});
