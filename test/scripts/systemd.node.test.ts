import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCommandLine } from '../../scripts/serve/command_line.mjs';
import { SECRETS } from '../../scripts/serve/settings.mjs';

const unit = readFileSync('deploy/image-sanitizer.service', 'utf8');
const settings = new Map(
  unit.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name ? [[name, value] as const] : [];
  }),
);

test('the unit starts the server with the folder that it may write to', () => {
  const [program, script, ...args] = settings.get('ExecStart')!.split(' ');
  expect([program, script]).toEqual(['/opt/image-sanitizer/node_modules/.bin/node', 'scripts/serve.mjs']);
  expect(readCommandLine(args)).toMatchObject({
    built: true,
    host: '127.0.0.1',
    data: `%S/${settings.get('StateDirectory')}`,
  });
});

test('the unit has no secret in it, no user that stays, and time for calls to end', () => {
  expect(settings.get('EnvironmentFile')).toMatch(/^\/etc\//);
  for (const name of Object.keys(SECRETS)) expect(unit).not.toContain(`${name}=`);
  expect(settings.get('DynamicUser')).toBe('yes');
  expect(settings.get('ProtectSystem')).toBe('strict');
  const [, grace = ''] = /GRACE_MS = ([\d_]+)/.exec(readFileSync('scripts/serve/main.mjs', 'utf8')) ?? [];
  expect(Number(settings.get('TimeoutStopSec')) * 1000).toBeGreaterThan(Number(grace.replaceAll('_', '')));
});
