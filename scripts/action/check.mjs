// The program of action.yml: runs `image-sanitizer check`, and with FIX=true first `clean` on files that
// carry metadata. PATHS and EXCLUDE have one value per line, PROGRAM is the path of the program.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const { PATHS = '.', EXCLUDE = '', FIX = 'false', PROGRAM = '' } = process.env;
const lines = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Files in formats that can be written, so that a clean copy can replace them. */
const FIXABLE = /\.(?:jpe?g|jpe|png|webp)$/i;

const program = (args, stdout) =>
  spawnSync(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });

if (!['true', 'false'].includes(FIX)) {
  process.stderr.write(`fix: expected true or false but received ${FIX}\n`);
  process.exit(2);
}
const asked = [...lines(EXCLUDE).flatMap((pattern) => ['--exclude', pattern]), '--', ...lines(PATHS)];
if (FIX === 'true') {
  const { stdout, status } = program(['check', '--quiet', '--format', 'json', ...asked], 'pipe');
  if (status !== 0 && status !== 1) process.exit(status ?? 1);
  for (const { file, blocks = [] } of lines(stdout).map((line) => JSON.parse(line))) {
    if (blocks.length === 0 || !FIXABLE.test(file)) continue;
    program(['clean', '--quiet', '--force', '--no-faces', `--output=${file}`, '--', file], 'inherit');
  }
}
process.exit(program(['check', ...asked], 'inherit').status ?? 1);
