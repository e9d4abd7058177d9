import * as z from 'zod';
import { planNames } from '../vocabulary/vocabulary.ts';

/** The schemas of usage, prices and keys: what the service responds with, and what the operator sends. */

const count = z.int().min(0);

export const planNameSchema = z.enum(planNames);

const counts = {
  calls: count.describe('Served calls.'),
  billable_calls: count,
  cost_cents: z.number().min(0).describe('US cents.'),
  cost_usd: z.number().min(0).describe('US dollars.'),
};

const monthRecord = {
  period: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .describe('UTC month, YYYY-MM.'),
  ...counts,
};

const keyId = z.string().regex(/^key_[0-9a-f]{24}$/);

export const dayRecordSchema = z.strictObject({
  date: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
    .describe('UTC day, YYYY-MM-DD.'),
  ...counts,
});

export const usageRecordSchema = z
  .strictObject({
    key_id: keyId,
    plan: planNameSchema,
    ...monthRecord,
    days: z
      .array(dayRecordSchema)
      .max(31)
      .optional()
      .describe('With by=day: the days on which calls were counted, the first before the last.'),
  })
  .describe('A UTC month of the calling key.');

export const pricingSchema = z
  .strictObject({
    currency: z.literal('USD'),
    free_rule: z.strictObject({
      description: z.string(),
      free_calls: count.describe('Calls per window that cost nothing.'),
      window_seconds: z.int().min(1),
    }),
    plans: z.array(
      z.strictObject({
        plan: planNameSchema,
        key_required: z.boolean(),
        rate_limit: z.strictObject({ calls: z.int().min(1), window_seconds: z.int().min(1) }),
        price_per_billable_call: z
          .number()
          .min(0)
          .nullable()
          .describe('US dollars; null where no call is ever billed.'),
        default_monthly_billable_cap: z.int().min(1).nullable().describe('null where nothing is billed.'),
      }),
    ),
  })
  .describe('What calls cost.');

const time = z.iso.datetime();
const cap = z.int().min(1).describe('Billable calls a UTC month.');
const label = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .nullable()
  .describe("The operator's own number for the key, e.g. a customer's. Text is not kept.");
const expiresAt = time.nullable().describe('From when on the key is refused; null for never.');

/** The body of POST /v1/keys. */
export const keyRequestSchema = z
  .strictObject({
    plan: z.enum(['pro', 'enterprise']),
    monthly_billable_cap: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('Billable calls a UTC month; the default of the plan when absent.'),
    label: label.optional(),
    expires_at: expiresAt.optional(),
  })
  .describe('Which key to issue.');

/** The body of PATCH /v1/keys/{key_id}. */
export const keyChangeSchema = keyRequestSchema
  .partial()
  .extend({ monthly_billable_cap: z.int().min(1).max(1_000_000_000).optional().describe(cap.description!) })
  .describe('What to change; what is absent stays as it is, the cap too where the plan changes.');

/** The longest overlap of two tokens of a key, in seconds: 30 days. */
const MAX_OVERLAP_SECONDS = 2_592_000;

/** The body of POST /v1/keys/{key_id}/rotate. */
export const keyRotationSchema = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(86_400)
      .describe('For how long the key it replaces is still taken.'),
  })
  .describe('How to rotate a key.');

const keyAccount = {
  key_id: keyId,
  plan: planNameSchema,
  monthly_billable_cap: cap,
  label,
  expires_at: expiresAt,
  created_at: time,
};

const issuedKey = {
  key: z
    .string()
    .regex(/^isk_[\w-]+_[\w-]{43}$/)
    .describe('The API key: shown here once and stored nowhere.'),
  ...keyAccount,
};

export const issuedKeySchema = z.strictObject(issuedKey).describe('A new API key.');

export const rotatedKeySchema = z
  .strictObject({
    ...issuedKey,
    previous_valid_until: time.describe('From when on the key that this one replaces is refused.'),
  })
  .describe('A new API key in the place of another: same id, same account, same counters.');

const monthRecordSchema = z.strictObject(monthRecord);

export const keyRecordSchema = z
  .strictObject({
    ...keyAccount,
    rotated_at: time.nullable().describe('When the newest key was issued, if it replaced another.'),
    previous_valid_until: time.nullable().describe('Until when the key before it is taken.'),
    state: z.enum(['active', 'expired', 'revoked']),
    revoked_at: time.nullable(),
    usage: monthRecordSchema.describe('The current UTC month.'),
    earlier_usage: z.array(monthRecordSchema).describe('Months before this one, latest first.'),
  })
  .describe('State and usage of a key.');

/** The most keys of a page of GET /v1/keys; `DEFAULT_LISTED_KEYS`: how many it has without `limit`. */
export const MAX_LISTED_KEYS = 100;
export const DEFAULT_LISTED_KEYS = 50;

export const keyListSchema = z
  .strictObject({
    keys: z
      .array(
        keyRecordSchema.pick({
          key_id: true,
          plan: true,
          monthly_billable_cap: true,
          label: true,
          expires_at: true,
          created_at: true,
          state: true,
          revoked_at: true,
        }),
      )
      .max(MAX_LISTED_KEYS)
      .describe('In the order in which they were entered, mostly that of issue.'),
    next_cursor: z.string().nullable().describe('The `cursor` of the next page; null where none follows.'),
  })
  .describe('A page of the keys that were issued. Usage is in the record of each key.');

export type DayRecord = z.output<typeof dayRecordSchema>;
export type UsageRecord = z.output<typeof usageRecordSchema>;
export type Pricing = z.output<typeof pricingSchema>;
export type KeyRequest = z.input<typeof keyRequestSchema>;
export type KeyChange = z.input<typeof keyChangeSchema>;
export type KeyRotation = z.input<typeof keyRotationSchema>;
export type RotatedKey = z.output<typeof rotatedKeySchema>;
export type IssuedKey = z.output<typeof issuedKeySchema>;
export type KeyRecord = z.output<typeof keyRecordSchema>;
export type KeyList = z.output<typeof keyListSchema>;
