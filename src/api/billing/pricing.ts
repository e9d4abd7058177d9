import { FREE_CALLS_PER_WINDOW, type Plan, planNames, plans, WINDOW_MS } from '../../metering/plans.ts';
import { ABORT_REFUNDS_PER_WINDOW, REFUNDS_PER_WINDOW } from '../../metering/refunds.ts';
import type { Pricing } from '../../ops/account.ts';

const windowSeconds = WINDOW_MS / 1000;

/** What is charged and what is not, in sentences shared by every text of the service. */
export const billingRules: readonly string[] = [
  `On every plan, ${FREE_CALLS_PER_WINDOW} call per rolling ${windowSeconds}-second window is free. With an API key ` +
    'each further call in the window is billable at the rate of its plan; without one it is refused.',
  'Calls that end in an error, 4xx or 5xx, are never billed.',
  `Calls refused with 4xx take places of the rate window past ${REFUNDS_PER_WINDOW} in ${windowSeconds} seconds, so that 429 ` +
    'comes sooner; that is their only price. A 5xx takes no place.',
  `A call whose client disconnects before the answer is not billed either, and takes its place past ` +
    `${ABORT_REFUNDS_PER_WINDOW} in ${windowSeconds} seconds.`,
  'If a free call fails, the earliest billable call admitted in the same window is free instead.',
];

/** What calls cost, from the plan table. */
export function pricing(): Pricing {
  return {
    currency: 'USD',
    free_rule: {
      description: billingRules.join(' '),
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
