import { isolateBudget, type MemoryBudget } from '../memory/budget.ts';

/** Budgets that are remembered; a program uses one or two figures. */
const MOST_BUDGETS = 16;

const budgets = new Map<number, MemoryBudget>();

/**
 * The budget of so many bytes: all calls that name the same figure share it, and wait for each other as long
 * as it takes. So it has no clock, and as many places as there are callers.
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
