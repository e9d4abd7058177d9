import { settingFaults } from '../../src/api/middleware/setting_rules.js';

/** Secrets that a self-hosted server must have, with the purpose of each. */
export const SECRETS = {
  ADMIN_TOKEN: 'opens the addresses of the operator',
  KEY_SIGNING_SECRET: 'signs API keys; comma-separated: the first signs, all verify',
  CALLER_HASH_SECRET: 'keys the hash under which anonymous callers are counted',
};

/** Further settings that the Worker reads from the environment. */
export const SETTINGS = ['PUBLIC_ORIGIN', 'TRUSTED_PROXY_HEADER', 'MEMORY_BUDGET_MB', 'FACE_ENGINE'];

/** Default of MEMORY_BUDGET_MB in megabytes (src/api/job_bytes.ts). */
export const DEFAULT_BUDGET_MB = 128;

/**
 * Why a memory budget is too small for the detectors, as a sentence for people; undefined if it is not.
 * @param {Record<'core' | 'onnxruntime-web', { leastMb: number, text: string }>} needed by face engine, as
 * measured by scripts/detectors/build.mjs
 * @param {Readonly<Record<string, string | undefined>>} environment with the settings
 */
export function memoryFault(needed, { MEMORY_BUDGET_MB, FACE_ENGINE }) {
  const { leastMb, text } = needed[FACE_ENGINE?.trim() || 'core'];
  const budget = Number(MEMORY_BUDGET_MB || DEFAULT_BUDGET_MB);
  if (budget >= leastMb) return undefined;
  return `MEMORY_BUDGET_MB: expected ${leastMb} or more for these detectors, but it is ${budget}. ${text}`;
}

/**
 * The problems that keep a server from starting, as sentences for people; empty if there are none. Values of
 * secrets are never repeated.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {boolean} hasDetectors whether the bundle has detectors
 * @returns {string[]}
 */
export function startFaults(environment, hasDetectors = false) {
  const missing = Object.entries(SECRETS).flatMap(([name, use]) =>
    (environment[name] ?? '').trim() === '' ? [`${name} is not set (${use})`] : [],
  );
  const wrong = settingFaults({ ...environment, DETECTORS: hasDetectors }).map(
    ({ name, expected, came }) =>
      `${name}: expected ${expected}${came === undefined ? '' : `, but it is ${came}`}`,
  );
  return [...missing, ...wrong];
}
