import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { commands, opOptions, readArguments, UsageError } from '../../src/cli/options.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { validateOps } from '../../src/ops/validate.ts';

const read = (line: string) => readArguments(line.split(' '));

describe('readArguments', () => {
  it('reads every op of clean into the place that its schema has for it', () => {
    const line =
      'clean a.jpg --crop 1,2,30,40 --grayscale --no-faces --region 1,2,3,4 --region 5,6,7,8 --strength 4 ' +
      '--confidence 0.5 --padding 2 --no-verify --format webp --quality 80 --max-width 500';
    const ops = read(line)?.ops;
    expect(ops).toEqual({
      crop: { x: 1, y: 2, width: 30, height: 40 },
      grayscale: true,
      pixelate: {
        faces: false,
        regions: [
          { x: 1, y: 2, w: 3, h: 4 },
          { x: 5, y: 6, w: 7, h: 8 },
        ],
        strength: 4,
        confidence: 0.5,
        padding: 2,
        verify: false,
      },
      output: { format: 'webp', quality: 80, maxWidth: 500 },
    });
    expect(validateOps(sanitizeOpsSchema, ops).ok).toBe(true);
    expect(opOptions('clean')).toHaveLength(11);
  });

  it('has no ops where none are given, and defaults for the rest', () => {
    expect(read('inspect a b -')).toEqual({
      command: 'inspect',
      inputs: ['a', 'b', '-'],
      ops: {},
      output: undefined,
      force: false,
      json: false,
      jobs: undefined,
      memory: 1024,
    });
  });

  it.each(['--help', 'help', '-h', 'clean --help', 'detect a.jpg -h'])('gives help for %s', (line) => {
    expect(read(line)).toBeUndefined();
  });

  it.each([
    ['polish a.jpg', 'clean, inspect, detect'],
    ['clean', 'Expected a file'],
    ['clean a.jpg --blur 3', '--blur'],
    ['clean a.jpg --strength much', 'expected a number'],
    ['clean a.jpg --quality 5 --max-width 1', 'output.maxWidth: Expected an integer from 16'],
    ['clean a.jpg --crop 1,2,3', 'expected x,y,width,height'],
    ['clean a.jpg --jobs 0', 'whole number'],
    ['clean a.jpg --memory 1.5', 'whole number'],
    ['inspect a.jpg --grayscale', '--grayscale'],
  ])('refuses %s', (line, reason) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(reason);
  });
});

it('the help names every op with its bounds', () => {
  const help = helpText();
  for (const command of commands)
    for (const { flag } of opOptions(command)) expect(help).toContain(`--${flag}`);
  expect(help).toContain('(30 to 100; default 92)');
  expect(help).toContain('(jpeg, png, webp; default jpeg)');
});
