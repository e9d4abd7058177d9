import { isolateBudget, type MemoryBudget } from '../memory/budget.ts';
import { defaultMemoryBudget } from './default_budget.ts';
import { ImageError } from './image_error.ts';

/** Budgets that are remembered; a program uses one or two figures. */
const MOST_BUDGETS = 16;

const budgets = new Map<number, MemoryBudget>();

/**
 * The budget of so many bytes: all calls that name the same figure share it, and wait for each other as long
 * as it takes. So it has no clock, and as many places as there are callers.
 * @throws ImageError 'invalid_ops' for anything but a whole number above 0
 */
export function budgetOf(bytes = defaultMemoryBudget()): MemoryBudget {
  if (!Number.isSafeInteger(bytes) || bytes <= 0) {
    const message = `Expected a whole number of bytes above 0 but received ${bytes}`;
    throw new ImageError('invalid_ops', `memoryBudget: ${message}`, [
      { path: 'memoryBudget', message, code: 'invalid_type' },
    ]);
  }
  const known = budgets.get(bytes);
  if (known) return known;
  const [oldest] = budgets.keys();
  if (budgets.size >= MOST_BUDGETS && oldest !== undefined) budgets.delete(oldest);
  const budget = isolateBudget(bytes, Number.POSITIVE_INFINITY);
  budgets.set(bytes, budget);
  return budget;
}
