import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';

const read = (path: string) => readFile(path, 'utf8');

test("Cloudflare's button asks for every secret and variable, and has words for each", async () => {
  const lines = (await read('.dev.vars.example')).split('\n').filter((line) => line && !line.startsWith('#'));
  const made = await read('scripts/secrets/local.mjs');
  const [names] = /(?<=const NAMES = )\[.*\]/.exec(made)!;
  // A value here would be offered to everybody who deploys.
  expect(lines).toEqual((JSON.parse(names!.replaceAll("'", '"')) as string[]).map((name) => `${name}=`));
  const { cloudflare } = JSON.parse(await read('package.json'));
  const { vars } = readConfig({ config: 'wrangler.toml' });
  const asked = [...lines.map((line) => line.slice(0, -1)), ...Object.keys(vars)];
  expect(Object.keys(cloudflare.bindings)).toEqual(asked);
});
