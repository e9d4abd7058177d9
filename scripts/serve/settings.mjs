import { settingFaults } from '../../src/api/middleware/setting_rules.js';

/** Secrets that a server of one's own must have, and what each is for. */
export const SECRETS = {
  ADMIN_TOKEN: 'opens the addresses of the operator',
  KEY_SIGNING_SECRET: 'signs API keys; comma-separated: the first signs, all verify',
  CALLER_HASH_SECRET: 'keys the hash under which anonymous callers are counted',
};

/** Further settings that the Worker reads from the environment. */
export const SETTINGS = ['PUBLIC_ORIGIN', 'TRUSTED_PROXY_HEADER', 'MEMORY_BUDGET_MB'];

/**
 * What keeps a server from starting, as sentences for people; empty where nothing does. Values of secrets are
 * never repeated.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {string[]}
 */
export function startFaults(environment) {
  const missing = Object.entries(SECRETS).flatMap(([name, use]) =>
    (environment[name] ?? '').trim() === '' ? [`${name} is not set (${use})`] : [],
  );
  const wrong = settingFaults(environment).map(
    ({ name, expected, came }) =>
      `${name}: expected ${expected}${came === undefined ? '' : `, but it is ${came}`}`,
  );
  return [...missing, ...wrong];
}
