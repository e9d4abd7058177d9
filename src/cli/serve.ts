import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';

/** A script of the repository; the package does not contain it. */
const START = new URL('../../scripts/start/main.mjs', import.meta.url);

/** The message if the service is not available. */
export const serviceElsewhere = `image-sanitizer: the service is not part of this package. It is in the repository of
image-sanitizer: clone that, then \`npm ci && npm start\`. docs/deploying.md there says how to deploy it.
`;

/**
 * Runs the local Worker until it ends.
 * @param args passed on to it
 * @returns its exit code; undefined if the service is not available
 */
export async function serve(args: readonly string[], start = START): Promise<number | undefined> {
  const script = fileURLToPath(start.href);
  if (!existsSync(script)) return undefined;
  const server = spawn(execPath, [script, ...args], { stdio: 'inherit' });
  // The Worker also gets a terminal's interrupt; this program waits until it has ended.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code) => resolve(code ?? 1));
  });
}
