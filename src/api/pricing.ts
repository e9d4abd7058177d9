import { FREE_CALLS_PER_WINDOW, type Plan, planNames, plans, WINDOW_MS } from '../metering/plans.ts';
import type { Pricing } from '../ops/responses.ts';

/** What calls cost, from the plan table. */
export function pricing(): Pricing {
  const windowSeconds = WINDOW_MS / 1000;
  return {
    currency: 'USD',
    free_rule: {
      description:
        `On every plan, ${FREE_CALLS_PER_WINDOW} call per rolling ${windowSeconds}-second window is free. With an API key ` +
        'each further call in the window is billable at the rate of its plan; without one it is refused. ' +
        'Calls that end in an error are never billed.',
      free_calls: FREE_CALLS_PER_WINDOW,
      window_seconds: windowSeconds,
    },
    plans: planNames.map((name) => {
      const plan: Plan = plans[name];
      const mills = plan.millsPerBillableCall;
      return {
        plan: name,
        key_required: mills !== null,
        rate_limit: { calls: plan.callsPerWindow, window_seconds: windowSeconds },
        price_per_billable_call: mills === null ? null : mills / 1000,
        default_monthly_billable_cap: plan.monthlyBillableCap,
      };
    }),
  };
}
