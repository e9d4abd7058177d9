import { describe, expect, test } from 'vitest';
import { putMissingSecrets } from '../../scripts/secrets/cloudflare.mjs';
import { SECRETS, startFaults } from '../../scripts/serve/settings.mjs';

/** A wrangler that knows these secrets, and what it was told. */
function wranglerWith(list: { status: number; stdout?: string; stderr?: string }, bulkStatus = 0) {
  const calls: { args: readonly string[]; input: string | undefined }[] = [];
  const run = (args: readonly string[], input?: string) => {
    calls.push({ args, input });
    const answer = args[1] === 'list' ? list : { status: bulkStatus, stderr: 'bulk failed' };
    return { stdout: '', stderr: '', ...answer };
  };
  return { calls, run };
}

describe('npm run secrets', () => {
  test('makes all for a Worker that is not there yet, and passes them by standard input only', () => {
    const { calls, run } = wranglerWith({ status: 1, stderr: 'does not exist [code: 10007]' });
    const made = putMissingSecrets(run);
    expect(startFaults(made)).toEqual([]);
    expect(new Set(Object.values(made)).size).toBe(Object.keys(SECRETS).length);
    expect(calls.map(({ args }) => args[1])).toEqual(['list', 'bulk']);
    expect(JSON.parse(calls[1]!.input!)).toEqual(made);
    for (const secret of Object.values(made)) expect(calls[1]!.args.join()).not.toContain(secret);
  });

  test('leaves a secret that is there as it is', () => {
    const listed = JSON.stringify([{ name: 'KEY_SIGNING_SECRET', type: 'secret_text' }]);
    const { run } = wranglerWith({ status: 0, stdout: listed });
    expect(Object.keys(putMissingSecrets(run))).toEqual(['ADMIN_TOKEN', 'CALLER_HASH_SECRET']);
    const all = JSON.stringify(Object.keys(SECRETS).map((name) => ({ name })));
    const { calls, run: full } = wranglerWith({ status: 0, stdout: all });
    expect(putMissingSecrets(full)).toEqual({});
    expect(calls).toHaveLength(1);
  });

  test('makes none where it can not tell what is there, and says when setting them failed', () => {
    const { calls, run } = wranglerWith({ status: 1, stderr: 'not logged in' });
    expect(() => putMissingSecrets(run)).toThrow('not logged in');
    expect(calls).toHaveLength(1);
    expect(() => putMissingSecrets(wranglerWith({ status: 0, stdout: '[]' }, 1).run)).toThrow('bulk failed');
  });
});
