import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Projects that a script's `--project` options name; a quoted one ends in `*`. */
const namedBy = (script: string) =>
  [...script.matchAll(/--project '?([a-z-]+\*?)/g)].map(([, name]) => name!);

it('every project of tests runs in one of the two lanes: "service" once ran in none', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const projects = [...config.matchAll(/^ {10}name: '([a-z-]+)'/gm)].map(([, name]) => name!);
  expect(projects.length).toBeGreaterThan(4);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = namedBy(`${scripts.test} ${scripts['test:slow']}`);
  const isRun = (project: string) =>
    named.some((name) => (name.endsWith('*') ? project.startsWith(name.slice(0, -1)) : project === name));
  expect(projects.filter((project) => !isRun(project))).toEqual([]);
});
