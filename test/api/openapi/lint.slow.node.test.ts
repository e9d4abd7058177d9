import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';

// Both tools run with the rules that their makers recommend; warnings count as errors.
const run = promisify(execFile);
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  file = join(folder, 'openapi.json');
  writeFileSync(join(folder, 'spectral.json'), JSON.stringify({ extends: ['spectral:oas'] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const redocly = (path: string) =>
  run(
    process.execPath,
    [resolve('node_modules/@redocly/cli/bin/cli.js'), 'lint', path, '--extends=recommended', '--format=json'],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
      maxBuffer: 1 << 26,
    },
  ).then(
    ({ stdout }) => problemsOf(stdout),
    (failure: { stdout: string }) => problemsOf(failure.stdout),
  );

/** Found rightly, and wanted: a form of the installed page is only ever answered with the way to the page. */
const onlyRedirects =
  'operation-2xx-response: Operation must have at least one `2XX` response. (#/paths/~1share/post/responses)';

const problemsOf = (output: string): string[] => {
  const report = JSON.parse(output.slice(output.indexOf('{'))) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  return report.problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
  );
};

const spectral = async (path: string) => {
  const args = [
    'lint',
    path,
    '-r',
    join(folder, 'spectral.json'),
    '-f',
    'json',
    '-q',
    '--fail-severity=hint',
  ];
  const binary = resolve('node_modules/@stoplight/spectral-cli/dist/index.js');
  const { stdout } = await run(process.execPath, [binary, ...args], { maxBuffer: 1 << 26 }).catch(
    (failure: { stdout: string }) => failure,
  );
  const found = JSON.parse(stdout || '[]') as { code: string; message: string; path: string[] }[];
  return found.map(({ code, message, path: at }) => `${code}: ${message} (${at.join('/')})`);
};

const faulty = () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('https://service.test')));
  document.paths['/v1/health'].get.operationId = 'getUsage';
  document.paths['/v1/health'].get.tags = ['Nowhere'];
  return document;
};

test('Redocly finds nothing but that in the description, and something in a faulty one', {
  timeout: 120_000,
}, async () => {
  writeFileSync(file, JSON.stringify(openApiDocument('https://service.test')));
  expect(await redocly(file)).toEqual([onlyRedirects]);
  writeFileSync(file, JSON.stringify(faulty()));
  expect((await redocly(file)).length).toBeGreaterThan(1);
});

test('Spectral finds nothing in the description, and something in a faulty one', {
  timeout: 120_000,
}, async () => {
  writeFileSync(file, JSON.stringify(openApiDocument('https://service.test')));
  expect(await spectral(file)).toEqual([]);
  writeFileSync(file, JSON.stringify(faulty()));
  expect(await spectral(file)).not.toEqual([]);
});
