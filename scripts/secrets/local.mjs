import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Secrets of a local deployment, in the form wrangler dev reads. The file is git-ignored and readable by its
 * owner only.
 */
const FILE = '.dev.vars';
const NAMES = ['ADMIN_TOKEN', 'KEY_SIGNING_SECRET', 'CALLER_HASH_SECRET'];

/**
 * The local secrets; missing ones are generated and written to the file.
 * @param {string} [file]
 * @returns {Record<string, string>}
 */
export function localSecrets(file = FILE) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const secrets = Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^\s*([A-Z_]+)\s*=\s*"?([^"\s]*)"?\s*$/.exec(line) ?? [];
      return name ? [[name, value]] : [];
    }),
  );
  const missing = NAMES.filter((name) => !secrets[name]);
  for (const name of missing) secrets[name] = randomBytes(24).toString('base64url');
  if (missing.length > 0) {
    const lines = missing.map((name) => `${name}="${secrets[name]}"\n`).join('');
    writeFileSync(file, `${text && !text.endsWith('\n') ? `${text}\n` : text}${lines}`, { mode: 0o600 });
  }
  return secrets;
}
