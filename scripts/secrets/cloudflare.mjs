import { randomBytes } from 'node:crypto';
import { SECRETS } from '../serve/settings.mjs';

/**
 * Generates the secrets that a deployment lacks, and sends them to Cloudflare. Existing ones are kept: a new
 * signing secret would invalidate every key.
 * @param {(
 *   args: readonly string[],
 *   input?: string,
 * ) => { status: number | null, stdout: string, stderr: string }} wrangler runs it
 * @returns {Record<string, string>} the secrets that were generated
 * @throws {Error} the output of wrangler, if it failed
 */
export function putMissingSecrets(wrangler) {
  const known = listedSecrets(wrangler(['secret', 'list', '--format', 'json']));
  const missing = Object.keys(SECRETS).filter((name) => !known.includes(name));
  const made = Object.fromEntries(missing.map((name) => [name, randomBytes(24).toString('base64url')]));
  if (missing.length === 0) return made;
  // Through standard input: other users can read arguments and files.
  const { status, stderr } = wrangler(['secret', 'bulk'], JSON.stringify(made));
  if (status !== 0) throw new Error(stderr);
  return made;
}

/** Code of Cloudflare's API for a Worker that was not deployed yet. */
const NO_SUCH_WORKER = /\b10007\b/;

function listedSecrets({ status, stdout, stderr }) {
  if (status === 0) return JSON.parse(stdout).map(({ name }) => name);
  if (NO_SUCH_WORKER.test(stderr + stdout)) return [];
  throw new Error(stderr || stdout);
}
