import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../answers/errors.ts';
import type { Bindings, Env } from '../env.ts';
import { type SettingFault, settingFaults } from './setting_rules.js';

/** The faults of the settings checked last: an isolate has the same settings at every request. */
let known: { readonly settings: Bindings; readonly faults: readonly SettingFault[] } | undefined;

/**
 * Middleware that answers only with an error while a setting is invalid: a guess at its meaning could trust
 * what clients say about themselves. A self-hosted server does not even start (scripts/serve.mjs).
 * @throws ApiError misconfigured, which names the settings but not their values
 */
export const requireSettings: MiddlewareHandler<Env> = async (c, next) => {
  if (known?.settings !== c.env)
    known = { settings: c.env, faults: settingFaults(c.env as unknown as Record<string, unknown>) };
  if (known.faults.length > 0) {
    const sentences = known.faults.map(({ name, expected }) => `Expected ${name} to be ${expected}.`);
    throw new ApiError('misconfigured', sentences.join(' '));
  }
  await next();
};
