import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { onnxDetector } from '../../src/library/onnx.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { integerTolerance } from '../fixtures/face_tensors.ts';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { issueOwnKey, OWN_SECRETS, type OwnServer, startOwnServer } from '../fixtures/own_server.ts';
import { models, picture, writeModels } from '../fixtures/red_models.ts';
import { sampleFile } from '../fixtures/samples.ts';

const names = Object.keys(models) as (keyof typeof models)[];
const ops = { pixelate: { detectors: { plates: true, stains: true } }, output: { format: 'png' } };

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'own-detectors-'));
const detectors = join(folder, 'models');
let image: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  writeModels(detectors);
  image = await picture();
  execFileSync(process.execPath, ['scripts/serve/build.mjs', '--detectors', detectors], { stdio: 'inherit' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const post = (address: string, key: string, path: string, body: Uint8Array<ArrayBuffer>, asked: object) =>
  fetch(`${address}${path}?ops=${encodeURIComponent(JSON.stringify(asked))}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${key}` },
    body,
  });
const cleaned = async (address: string, key: string) => {
  const answer = await post(address, key, '/v1/sanitize', image, ops);
  if (answer.status !== 200) throw new Error(await answer.text());
  return hashOf(new Uint8Array(await answer.arrayBuffer()));
};

describe('a server of one’s own with detectors', () => {
  let server: OwnServer;
  let key: string;
  beforeAll(async () => {
    server = await startOwnServer(join(folder, 'data'));
    key = await issueOwnKey(server.address);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  const text = async (path: string) => (await fetch(server.address + path)).text();

  test('health lists them with their kinds and hashes', async () => {
    const { detectors: listed } = JSON.parse(await text('/v1/health'));
    expect(listed).toEqual(
      names.map((name) => ({
        name,
        kinds: models[name].manifest.kinds,
        sha256: hashOf(models[name].model),
        passMs: expect.any(Number),
      })),
    );
  });

  test('the description, the tools and MCP take their names and no others', async () => {
    const { SanitizeOps, DetectOps } = JSON.parse(await text('/openapi.json')).components.schemas;
    const tools = JSON.parse(await text('/v1/tools.json'));
    const listed = await fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await listed.json()) as { result: { tools: { inputSchema: object }[] } };
    const [sanitizeTool, detectTool] = result.tools.map(({ inputSchema }) => inputSchema) as never as {
      properties: { ops: typeof SanitizeOps };
    }[];
    for (const member of [
      SanitizeOps.properties.pixelate.properties.detectors,
      DetectOps.properties.detectors,
      tools.anthropic[0].input_schema.properties.ops.properties.pixelate.properties.detectors,
      tools.openai[1].function.parameters.properties.ops.properties.detectors,
      sanitizeTool!.properties.ops.properties.pixelate.properties.detectors,
      detectTool!.properties.ops.properties.detectors,
    ]) {
      expect([Object.keys(member.properties), member.additionalProperties]).toEqual([names, false]);
    }
  });

  test('answers name kind and detector; one that is not here is refused with those that are', async () => {
    const found = await post(server.address, key, '/v1/detect', image, { detectors: { plates: true } });
    const { boxes } = (await found.json()) as { boxes: { x: number }[] };
    expect(boxes.length).toBeGreaterThan(1);
    for (const box of boxes) expect(box).toMatchObject({ detector: 'plates', kind: 'plate' });

    const asked = { ...ops, response: 'json' };
    const sanitized = await post(server.address, key, '/v1/sanitize', image, asked);
    const { report } = (await sanitized.json()) as { report: { detected: object[] } };
    expect(report.detected).toHaveLength(boxes.length + 1);
    expect(report.detected).toContainEqual(expect.objectContaining({ detector: 'stains', kind: 'stain' }));

    const strange = await post(server.address, key, '/v1/detect', image, { detectors: { logos: true } });
    expect([strange.status, await strange.json()]).toMatchObject([
      400,
      {
        error: 'invalid_ops',
        issues: [
          {
            path: 'detectors.logos',
            message: 'Expected only the members plates, stains but received "logos"',
          },
        ],
      },
    ]);
  });

  test('a tool is called with them', async () => {
    const answer = await fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'detect_faces',
          arguments: {
            image: Buffer.from(image).toString('base64'),
            ops: { detectors: { plates: null, stains: true } },
          },
        },
      }),
    });
    const { result } = (await answer.json()) as { result: { structuredContent: { boxes: object[] } } };
    expect(result.structuredContent.boxes).toMatchObject([{ detector: 'stains' }]);
  });

  test('calls at one time find the same as one after the other', async () => {
    const alone = await cleaned(server.address, key);
    const together = await Promise.all(Array.from({ length: 8 }, () => cleaned(server.address, key)));
    expect(new Set(together)).toEqual(new Set([alone]));
  });
});

test('library, program, own server and [env.onnx] give the same bytes', async () => {
  const opened = await Promise.all(names.map((name) => onnxDetector(join(detectors, `${name}.json`))));
  const { bytes, report } = await sanitize(image, ops as object, { detectors: opened });
  expect(report.detected!.length).toBeGreaterThan(1);

  execFileSync(process.execPath, ['scripts/package/build.mjs'], { stdio: 'ignore' });
  writeFileSync(join(folder, 'a.png'), image);
  const given = names.flatMap((name) => ['--detector', join(detectors, `${name}.json`)]);
  const out = join(folder, 'cleaned.png');
  const args = ['clean', join(folder, 'a.png'), '-o', out, ...given];
  const program = spawnSync(process.execPath, [resolve('dist/package/cli.js'), ...args], {
    encoding: 'utf8',
  });
  expect([program.status, program.stderr]).toEqual([0, expect.any(String)]);

  await using server = await startOwnServer(join(folder, 'data-of-bytes'));
  await using worker = await startLocalWorker({}, 'onnx');
  for (const { address } of [server, worker]) {
    expect(await (await fetch(address)).text()).toContain(
      `<meta name="detectors" content='[["plates",["plate"]]]'>`,
    );
  }
  expect({
    program: hashOf(readFileSync(out)),
    server: await cleaned(server.address, await issueOwnKey(server.address)),
    worker: await cleaned(worker.address, await worker.issueKey()),
  }).toEqual({ program: hashOf(bytes), server: hashOf(bytes), worker: hashOf(bytes) });
});

test('FACE_ENGINE=onnxruntime-web: the whole service finds the faces that the core finds', async () => {
  const people = drawPeople(640, 480, [{ x: 200, y: 100, w: 160, h: 200 }]);
  const photo = await sampleFile('png', people);
  const facesBy = async (engine: string) => {
    await using server = await startOwnServer(join(folder, `data-of-${engine}`), { FACE_ENGINE: engine });
    const health = await (await fetch(`${server.address}/v1/health`)).json();
    expect(health).toMatchObject({ engine });
    const key = await issueOwnKey(server.address);
    const both = { detectors: { stains: true } };
    const { faces } = (await (await post(server.address, key, '/v1/detect', photo, both)).json()) as {
      faces: { x: number; y: number; w: number; h: number; confidence: number }[];
    };
    const sanitized = await post(server.address, key, '/v1/sanitize', photo, { response: 'json' });
    const { report } = (await sanitized.json()) as { report: { facesDetected: number } };
    expect(report.facesDetected).toBe(faces.length);
    return faces;
  };
  const [inCore, onRuntime] = [await facesBy('core'), await facesBy('onnxruntime-web')];
  expect(inCore.length).toBeGreaterThan(0);
  expect(onRuntime).toHaveLength(inCore.length);
  for (const [i, face] of inCore.entries()) {
    // The core counts in 16-bit integers, and answers have tenths of a pixel.
    const most = integerTolerance.pixels + integerTolerance.ofSide * Math.max(face.w, face.h) + 0.1;
    for (const member of ['x', 'y', 'w', 'h'] as const) {
      expect(Math.abs(onRuntime[i]![member] - face[member])).toBeLessThanOrEqual(most);
    }
    expect(onRuntime[i]!.confidence).toBeCloseTo(face.confidence, 2);
  }
});

test('detectors that do not fit the budget keep the server from starting, with figures', async () => {
  const starting = startOwnServer(join(folder, 'data'), { MEMORY_BUDGET_MB: '64' });
  await expect(starting).rejects.toThrow(
    /MEMORY_BUDGET_MB: expected \d+ or more for these detectors, but it is 64\. They take \d+ MB: the /,
  );
});

test('a hostile folder keeps the server from starting; what was built stays as it was', () => {
  const hostile = join(folder, 'hostile');
  mkdirSync(hostile);
  const { model, manifest } = models.stains;
  // Says that it is 2 GB long.
  const claim = Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0x07, ...model.subarray(6));
  for (const [name, bytes] of [
    ['cut', model.subarray(0, 100)],
    ['huge', claim],
  ] as const) {
    writeFileSync(join(hostile, `${name}.json`), JSON.stringify({ ...manifest, name }));
    writeFileSync(join(hostile, `${name}.onnx`), bytes);
  }
  const before = readFileSync('dist/server/config.bin');
  const options = ['--port', '0', '--data', join(folder, 'data'), '--detectors', hostile];
  const { status, stderr } = spawnSync(process.execPath, ['scripts/serve.mjs', ...options], {
    encoding: 'utf8',
    env: { ...process.env, ...OWN_SECRETS },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/cut\.json: Expected an ONNX model[\s\S]*huge\.json: Expected an ONNX model/);
  expect(readFileSync('dist/server/config.bin').equals(before)).toBe(true);
});

test('the bundle without detectors has nothing of the runtime', async () => {
  const files = readdirSync('dist/server/worker');
  expect(files.filter((name) => name.includes('ort-wasm'))).toHaveLength(1);
  execFileSync(process.execPath, ['scripts/serve/build.mjs'], { stdio: 'inherit' });
  expect(readdirSync('dist/server/worker').filter((name) => /ort-wasm|-detector\./.test(name))).toEqual([]);
  expect(readFileSync('dist/server/worker/index.js', 'utf8')).not.toContain('ort-wasm');
  expect(readFileSync('dist/server/THIRD_PARTY_NOTICES.txt', 'utf8')).not.toContain('onnxruntime');
  expect(readdirSync('dist/server')).not.toContain('detectors.json');
  const pages = readdirSync('dist/server/pages/playground');
  expect(pages.filter((name) => /^(?:own_detectors|ort-|detector\.)/.test(name))).toEqual([]);
  expect(readFileSync('dist/server/pages/playground/index.html', 'utf8')).not.toContain('name="detectors"');
  const starting = startOwnServer(join(folder, 'data'), { FACE_ENGINE: 'onnxruntime-web' });
  await expect(starting).rejects.toThrow('FACE_ENGINE: expected core, or onnxruntime-web in a bundle with');
});
