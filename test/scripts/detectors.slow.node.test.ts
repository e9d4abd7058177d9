import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFault } from '../../scripts/serve/settings.mjs';
import { inFolder } from '../fixtures/in_folder.ts';
import { stains } from '../fixtures/onnx_networks.ts';
import { onnxFile } from '../fixtures/onnx_writer.ts';

const { manifest } = stains;
const network = stains.model();

/** Takes two thousand times the memory of its input. */
const greedy = () =>
  onnxFile({
    inputs: { images: [1, 3, 'h', 'w'] },
    outputs: { scores: [1, 1, 'y', 'x'] },
    nodes: [
      { operator: 'Conv', inputs: ['images', 'many'], outputs: ['wide'] },
      { operator: 'Conv', inputs: ['wide', 'one'], outputs: ['scores'] },
    ],
    weights: [
      { name: 'many', dims: [6000, 3, 1, 1], values: Array<number>(18_000).fill(1) },
      { name: 'one', dims: [1, 6000, 1, 1], values: Array<number>(6000).fill(0) },
    ],
  });

const build = (folder: string) =>
  spawnSync(
    process.execPath,
    ['--no-warnings', 'scripts/detectors/build.mjs', folder, join(folder, 'made')],
    { encoding: 'utf8' },
  );

test('all that is wrong with a folder is told at once, and nothing is written', () => {
  inFolder((folder) => {
    const write = (name: string, value: object) =>
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
    writeFileSync(join(folder, 'cut.onnx'), network.subarray(0, network.length / 2));
    write('cut', { ...manifest, name: 'cut' });
    write('lost', { ...manifest, name: 'lost' });
    write('odd', { name: 'Odd', kinds: [] });
    writeFileSync(join(folder, 'text.json'), '{');
    writeFileSync(join(folder, 'lonely.onnx'), network);
    write('other', { ...manifest, model: 'lonely.onnx', sha256: '0'.repeat(64) });
    write('way', { ...manifest, model: '../lonely.onnx' });
    write('one', { ...manifest, model: 'lonely.onnx' });
    write('two', { ...manifest, model: 'lonely.onnx' });
    writeFileSync(join(folder, 'nobody.onnx'), network);
    const shape = { ...manifest, name: 'shape', input: { name: 'pictures' }, model: 'lonely.onnx' };
    write('shape', shape);
    const { status, stderr } = build(folder);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^lost.json: expected its model, lost.onnx, a file of this folder/),
      expect.stringMatching(/^odd.json: name: /),
      expect.stringMatching(/^odd.json: kinds: /),
      expect.stringMatching(/^odd.json: output: /),
      expect.stringMatching(/^other.json: sha256: expected 0+ but that of lonely.onnx is [0-9a-f]{64}$/),
      expect.stringMatching(/^text.json: expected a manifest in JSON/),
      'two.json: name: expected another than of one.json but it is stains',
      'way.json: model: expected the name of a file beside the manifest',
      'nobody.onnx: expected a manifest beside it, nobody.json, but there is none',
      'cut.json: Expected an ONNX model but received none, or a part of one',
      'shape.json: Expected one input, pictures, but the model has images',
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('made'))).toEqual([]);
  });
});

test.each(['', 'nowhere'])('a folder without detectors is refused: %j', (name) => {
  inFolder((folder) => {
    if (name === '') copyFileSync('package.json', join(folder, 'notes.txt'));
    const { status, stderr } = build(join(folder, name));
    expect([status, stderr]).toEqual([1, expect.stringContaining('expected')]);
  });
});

test('a model that takes too much memory is refused with figures', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'stains.onnx'), greedy());
    writeFileSync(join(folder, 'stains.json'), JSON.stringify(manifest));
    const { status, stderr } = build(folder);
    expect([status, stderr]).toEqual([0, '']);
    const needed = JSON.parse(readFileSync(join(folder, 'made/memory.json'), 'utf8'));
    // 6,000 maps of 128 × 128.
    expect(needed.core.leastMb).toBeGreaterThan(6000 * 0.0625);
    expect(memoryFault(needed, {})).toMatch(
      /^MEMORY_BUDGET_MB: expected \d+ or more for these detectors, but it is 128\. They .* its heap 38\d/,
    );
    expect(memoryFault(needed, { MEMORY_BUDGET_MB: String(needed.core.leastMb) })).toBeUndefined();
  });
});

test('links out of the folder are refused, as is what only looks like a file', () => {
  inFolder((outside) => {
    writeFileSync(join(outside, 'secret.onnx'), network);
    writeFileSync(join(outside, 'secret.json'), JSON.stringify({ ...manifest, name: 'secret' }));
    inFolder((folder) => {
      const write = (name: string, value: object) =>
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
      symlinkSync(join(outside, 'secret.json'), join(folder, 'a.json'));
      write('b', { ...manifest, name: 'b' });
      symlinkSync(join(outside, 'secret.onnx'), join(folder, 'b.onnx'));
      write('c', { ...manifest, name: 'c' });
      symlinkSync('/dev/zero', join(folder, 'c.onnx'));
      mkdirSync(join(folder, 'd.json'));
      write('e', { ...manifest, name: 'e', model: '..' });
      // Its real path only begins as the folder's.
      write('f', { ...manifest, name: 'f' });
      mkdirSync(`${folder}-beside`);
      copyFileSync(join(outside, 'secret.onnx'), join(`${folder}-beside`, 'x.onnx'));
      symlinkSync(join('..', `${basename(folder)}-beside`, 'x.onnx'), join(folder, 'f.onnx'));
      const { status, stderr } = build(folder);
      expect(status).toBe(1);
      const refused = (file: string, what: string) =>
        `${file}: expected ${what}, a file of this folder and no link out of it`;
      expect(stderr.trimEnd().split('\n')).toEqual([
        refused('a.json', 'a manifest'),
        refused('b.json', 'its model, b.onnx'),
        refused('c.json', 'its model, c.onnx'),
        refused('d.json', 'a manifest'),
        refused('e.json', 'its model, ..'),
        refused('f.json', 'its model, f.onnx'),
      ]);
    });
  });
});

test('a link within the folder is taken: mounted volumes consist of them', () => {
  inFolder((folder) => {
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data/stains.onnx'), network);
    writeFileSync(join(folder, '..data/stains.json'), JSON.stringify(manifest));
    for (const name of ['stains.onnx', 'stains.json']) symlinkSync(join('..data', name), join(folder, name));
    const { status, stdout, stderr } = build(folder);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Detectors: stains \(stain; \d+ ms a pass\)/);
  });
});

test('names that are no words are refused, and none writes to the terminal', () => {
  inFolder((folder) => {
    const names = ['__proto__', 'constructor', '../x', 'a b', 'Stains', 'a'.repeat(33), '\u001b[2J', ''];
    for (const [at, name] of names.entries()) {
      writeFileSync(join(folder, `${at}.json`), JSON.stringify({ ...manifest, name, model: 'm.onnx' }));
    }
    writeFileSync(join(folder, '\u001b]0;x\u0007\n9.json'), '{"__proto__": {"name": "stains"}}');
    writeFileSync(join(folder, 'm.onnx'), network);
    const { status, stderr } = build(folder);
    expect(status).toBe(1);
    for (const at of names.keys()) expect(stderr).toMatch(new RegExp(`^${at}\\.json: name: `, 'm'));
    expect(stderr).toContain('\\u001b]0;x\\u0007\\u000a9.json: ');
    expect(stderr).not.toContain('\u001b');
  });
});

test('a pass that takes longer than its manifest allows is refused: nobody is answered meanwhile', () => {
  inFolder((folder) => {
    writeFileSync(join(folder, 'stains.onnx'), greedy());
    writeFileSync(join(folder, 'stains.json'), JSON.stringify({ ...manifest, longestPassMs: 1 }));
    const { status, stderr } = build(folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^stains\.json: a pass takes \d+ ms, in which no other call is answered, but longestPassMs is 1\. /,
    );
    expect(readdirSync(folder)).not.toContain('made');
  });
});
