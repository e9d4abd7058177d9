import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Patterns of projects in a script's `--project` options: `*` stands for any end, `!` for all others. */
const namedBy = (script: string) =>
  [...script.matchAll(/--project '?(!?[a-z-]+\*?)/g)].map(([, name]) => name!);

const matches = (pattern: string, project: string): boolean => {
  if (pattern.startsWith('!')) return !matches(pattern.slice(1), project);
  return pattern.endsWith('*') ? project.startsWith(pattern.slice(0, -1)) : project === pattern;
};

it('every project of tests runs in one of the two lanes: "service" once ran in none', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const projects = [...config.matchAll(/^ {10}name: '([a-z-]+)'/gm)].map(([, name]) => name!);
  expect(projects.length).toBeGreaterThan(4);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts.test).toContain('npm run test:quick');
  const named = namedBy(`${scripts['test:quick']} ${scripts['test:slow']}`);
  const isRun = (project: string) => named.some((pattern) => matches(pattern, project));
  expect(projects.filter((project) => !isRun(project))).toEqual([]);
});
