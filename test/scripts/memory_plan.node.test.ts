import { describe, expect, test } from 'vitest';
import { machineMemory, memoryPlan } from '../../scripts/serve/memory_plan.mjs';

const machine = (mb: number, processors = 16, isLimit = false) => ({ processors, memory: { mb, isLimit } });
const auto = { processes: 'auto' as const };

describe('auto', () => {
  test('is one process a processor where memory allows', () => {
    expect(memoryPlan(auto, machine(64_000))).toMatchObject({ processes: 16 });
    expect(memoryPlan(auto, machine(64_000, 2))).toMatchObject({ processes: 2 });
    expect(memoryPlan({ ...auto, budget: '1024' }, machine(8000))).toMatchObject({ processes: 5 });
  });

  test('leaves some of the machine to others, and none of a limit that is its own', () => {
    expect(memoryPlan(auto, machine(1640))).toMatchObject({ processes: 3 });
    expect(memoryPlan(auto, machine(1640, 16, true))).toMatchObject({ processes: 5 });
  });

  test('is one where there is little, and none where that does not fit', () => {
    expect(memoryPlan(auto, machine(600))).toMatchObject({ processes: 1 });
    const { fault } = memoryPlan(auto, machine(400, 16, true)) as { fault: string };
    expect(fault).toContain('at most 528 MB');
    expect(fault).toContain('its limit is 400 MB');
  });
});

test('a number is taken as it is, and refused where the machine has less', () => {
  const plan = memoryPlan({ processes: 4, budget: '256' }, machine(2000)) as { text: string };
  expect(plan).toMatchObject({ processes: 4 });
  expect(plan.text).toContain('at most 1874 MB');
  expect(memoryPlan({ processes: 4, budget: '256' }, machine(1800))).toEqual({
    fault: expect.stringContaining('Lower MEMORY_BUDGET_MB or --processes'),
  });
});

test('the memory of this machine is told', () => {
  expect(machineMemory().mb).toBeGreaterThan(100);
});
