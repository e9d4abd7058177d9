import { isolateBudget, type MemoryBudget } from '../memory/budget.ts';

/** Most budgets remembered; a program uses one or two sizes. */
const MOST_BUDGETS = 16;

const budgets = new Map<number, MemoryBudget>();

/**
 * The budget of this size. All calls that name the same size share it, and wait for each other without a time
 * limit. So it has no clock, and any number of callers may wait.
 */
export function budgetOf(bytes: number): MemoryBudget {
  const known = budgets.get(bytes);
  if (known) return known;
  const [oldest] = budgets.keys();
  if (budgets.size >= MOST_BUDGETS && oldest !== undefined) budgets.delete(oldest);
  const budget = isolateBudget(bytes, Number.POSITIVE_INFINITY);
  budgets.set(bytes, budget);
  return budget;
}
