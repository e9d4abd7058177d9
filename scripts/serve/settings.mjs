/** Secrets that a server of one's own must have, and what each is for. */
export const SECRETS = {
  ADMIN_TOKEN: 'opens the addresses of the operator',
  KEY_SIGNING_SECRET: 'signs API keys; comma-separated: the first signs, all verify',
  CALLER_HASH_SECRET: 'keys the hash under which anonymous callers are counted',
};

/** Further settings that the Worker reads from the environment. */
export const SETTINGS = ['PUBLIC_ORIGIN', 'TRUSTED_PROXY_HEADER', 'MEMORY_BUDGET_MB'];

/** Characters a secret must have: 16 random bytes in base64 are 22. */
const SHORTEST_SECRET = 22;

/**
 * What keeps a server from starting, as sentences for people; empty where nothing does. Values of secrets are
 * never repeated.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {string[]}
 */
export function settingFaults(environment) {
  const faults = Object.entries(SECRETS).flatMap(([name, use]) =>
    (environment[name] ?? '').split(',').every((secret) => secret.trim().length >= SHORTEST_SECRET)
      ? []
      : [`${name} ${environment[name] ? 'is too short' : 'is not set'} (${use})`],
  );
  const { MEMORY_BUDGET_MB: budget, PUBLIC_ORIGIN: origin } = environment;
  if (budget && !/^[1-9]\d{1,5}$/.test(budget)) faults.push('MEMORY_BUDGET_MB is no number of megabytes');
  if (origin && !/^https?:$/.test(URL.canParse(origin) ? new URL(origin).protocol : '')) {
    faults.push('PUBLIC_ORIGIN is no http or https address');
  }
  return faults;
}
