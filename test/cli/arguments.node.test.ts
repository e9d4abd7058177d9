import { describe, expect, it } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import type { Invocation } from '../../src/cli/file_command.ts';
import { fileCommands, opOptions } from '../../src/cli/op_options.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { validateOps } from '../../src/ops/validate.ts';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '), '1.2.3');

function filesOf(line: string): Invocation {
  const asked = read(line);
  if (!('files' in asked)) throw new Error(JSON.stringify(asked));
  return asked.files;
}

function textOf(line: string): { text: string; exitCode: number } {
  const asked = read(line);
  if (!('text' in asked)) throw new Error(JSON.stringify(asked));
  return asked;
}

describe('readArguments', () => {
  it('reads every op of clean into the place that its schema has for it', () => {
    const line =
      'clean a.jpg --rotate 270 --crop 1,2,30,40 --grayscale --no-faces --region 1,2,3,4 --region=5,6,7,8,solid ' +
      '--region 1,2,3,4,ellipse --region 1,2,3,4,ellipse,mosaic --area 1,2,3,4 --area 5,6,7,8,solid --strength 4 ' +
      '--fill mosaic --face-fill solid --colour #102030 --except 1,1,2,2 --second-look ' +
      '--plates --text --confidence 0.5 --padding 2 --no-verify --format webp --quality 80 --chroma whole ' +
      '--max-width 500';
    const { ops } = filesOf(line);
    expect(ops).toEqual({
      rotate: 270,
      crop: { x: 1, y: 2, width: 30, height: 40 },
      grayscale: true,
      pixelate: {
        faces: false,
        plates: true,
        text: true,
        regions: [
          { x: 1, y: 2, w: 3, h: 4 },
          { x: 5, y: 6, w: 7, h: 8, fill: 'solid' },
          { x: 1, y: 2, w: 3, h: 4, shape: 'ellipse' },
          { x: 1, y: 2, w: 3, h: 4, shape: 'ellipse', fill: 'mosaic' },
        ],
        areas: [
          { x: 1, y: 2, w: 3, h: 4 },
          { x: 5, y: 6, w: 7, h: 8, fill: 'solid' },
        ],
        fill: 'mosaic',
        faceFill: 'solid',
        colour: '#102030',
        except: [{ x: 1, y: 1, w: 2, h: 2 }],
        strength: 4,
        confidence: 0.5,
        padding: 2,
        verify: false,
        secondLook: true,
      },
      output: { format: 'webp', quality: 80, chroma: 'whole', maxWidth: 500 },
    });
    expect(validateOps(sanitizeOpsSchema, ops).ok).toBe(true);
    for (const { flag } of opOptions('clean')) {
      expect(line, 'give this op in the line above, and what it is read as').toMatch(`-${flag}`);
    }
  });

  it('has no ops where none are given, and defaults for the rest', () => {
    expect(filesOf('inspect a b -')).toEqual({
      command: 'inspect',
      inputs: ['a', 'b', '-'],
      ops: {},
      format: undefined,
      cap: {},
      output: undefined,
      isNeutral: false,
      dryRun: false,
      detectors: [],
      exclude: [],
      existing: 'refuse',
      json: false,
      report: 'text',
      quiet: false,
      jobs: undefined,
      memory: 1024,
    });
  });

  it('reads what is no op', () => {
    const line = 'clean -o out/ a --json -q --jobs 3 --memory 700 -- -b.jpg';
    const { inputs, output, json, quiet, jobs, memory } = filesOf(line);
    expect({ inputs, output, json, quiet, jobs, memory }).toEqual({
      inputs: ['a', '-b.jpg'],
      output: 'out/',
      json: true,
      quiet: true,
      jobs: 3,
      memory: 700,
    });
    expect(filesOf('clean a --force').existing).toBe('replace');
    expect(filesOf('clean a --skip-existing').existing).toBe('skip');
  });

  it('knows formats and caps that the ops have not', () => {
    const line = 'clean a --format jpg --max-edge 1600 --max-height 900';
    expect(filesOf(line)).toMatchObject({
      format: 'jpeg',
      ops: { output: { format: 'jpeg' } },
      cap: { maxEdge: 1600, maxHeight: 900 },
    });
    expect(filesOf('clean a --format same')).toMatchObject({ format: 'same', ops: {} });
  });

  it('reads how outputs are named, what is left out, and that nothing is to be done', () => {
    const line = 'clean a --names neutral --dry-run --exclude *.png --exclude b/c';
    expect(filesOf(line)).toMatchObject({ isNeutral: true, dryRun: true, exclude: ['*.png', 'b/c'] });
  });

  it('gives serve all that follows', () => {
    expect(read('serve --port 8799 --var A:b')).toEqual({ serve: ['--port', '8799', '--var', 'A:b'] });
  });

  it.each(['', '--help', 'help', '-h', 'clean --help', 'help clean', 'detect a.jpg -h'])(
    'gives help for "%s"',
    (line) => {
      const { text, exitCode } = textOf(line);
      expect([text.includes('Usage: image-sanitizer'), exitCode]).toEqual([true, 0]);
    },
  );

  it('gives the version that it is told', () => {
    expect(textOf('--version')).toEqual({ text: '1.2.3\n', exitCode: 0 });
  });

  it.each([
    ['polish a.jpg', 'polish'],
    ['clean', 'input'],
    ['clean a.jpg --blur 3', '--blur'],
    ['clean a.jpg --qualty 50', 'Did you mean --quality?'],
    ['clean a.jpg --strength much', 'Expected a number'],
    ['clean a.jpg --quality 5 --max-width 1', '--max-width: Expected an integer from 16'],
    ['clean a.jpg --region 1,2,3,4 --region 1,2,3,-4', '--region: Expected a number'],
    ['clean a.jpg --crop 1,2,3', 'Expected numbers x,y,width,height'],
    ['clean a.jpg --crop 1,2,3,', 'Expected numbers x,y,width,height'],
    ['clean a.jpg --region 1,2,3,4,black', '--region: Expected one of "mosaic", "solid"'],
    ['clean a.jpg --region 1,2,3,4,solid,5', '--region: Expected one of "rectangle", "ellipse"'],
    ['clean a.jpg --region 1,2,3,4,solid,ellipse,5', 'Expected numbers x,y,w,h[,fill][,shape]'],
    ['clean a.jpg --except 1,2,3,4,ellipse', 'Expected numbers x,y,w,h'],
    ['clean a.jpg --colour red', '--colour: Expected text that matches'],
    ['clean a.jpg --jobs 0', 'whole number'],
    ['clean a.jpg --memory 1.5', 'whole number'],
    ['clean a.jpg -f -s', 'cannot be used with'],
    ['clean a.jpg -o {name}.{size}', 'only {dir}, {name}, {source}, {ext} but received {size}'],
    ['clean a.jpg -o x.{extension}', 'only {dir}, {name}, {source}, {ext} but received {extension}'],
    ['clean a.jpg -o x{', 'received {'],
    ['clean a.jpg --format bmp', 'Expected one of jpeg, png, webp, jpg, same'],
    ['clean a.jpg --max-edge 15', '--max-edge: Expected an integer from 16 to 12000 but received 15'],
    ['clean a.jpg --max-height 99.5', '--max-height: Expected an integer'],
    ['clean a.jpg --names mine', 'original, neutral'],
    ['inspect a.jpg --max-edge 99', '--max-edge'],
    ['inspect a.jpg --grayscale', '--grayscale'],
    ['inspect a.jpg -o b', '-o'],
    ['inspect - -', 'read once'],
    ['clean - --json', '--json'],
    ['clean a.jpg b.jpg -o -', 'one input only'],
  ])('refuses %s', (line, reason) => {
    const { text, exitCode } = textOf(line);
    expect(exitCode).toBe(2);
    expect(text).toContain(reason);
    expect(text).toContain('See image-sanitizer --help');
  });
});

it('repeats no control characters of arguments', () => {
  for (const given of [
    ['clean', 'a', '--x\n\u202E'],
    ['clean', 'a', '--strength=\nerror: \u009B'],
  ]) {
    const asked = readArguments(given, '');
    const text = 'text' in asked ? asked.text : '';
    expect(text).toMatch(/\\u000a/);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(text).not.toMatch(/^error: \\u009b/m);
  }
});

it('the help of a command has its ops with bounds, the exit codes, and examples that can be read', () => {
  for (const command of fileCommands) {
    const { text } = textOf(`${command} --help`);
    for (const { flag } of opOptions(command)) expect(text).toContain(`--${flag}`);
    expect(text).toContain('Exit codes:');
    const calls = [...text.matchAll(/^ {2}image-sanitizer (.+?)(?: [<>].*)?$/gm)].map(([, call]) => call!);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) expect(filesOf(call.replaceAll("'", '')).command).toBe(command);
  }
  const { text } = textOf('clean --help');
  expect(text).toMatch(/\(30 to\s+100; default 92\)/);
  expect(text).toContain('jpeg, png, webp, jpg, same');
  expect(text).toContain('--faces, --no-faces');
});
