// `npm run build:detectors -- models`: makes the detectors of a folder ready for `[env.onnx]` of
// wrangler.toml, in dist/detectors or the folder after it. Each is opened and run once; nothing is written
// where one can't be used.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASELINE_MB } from '../../src/api/job_bytes.ts';
import { heldBytes } from '../../src/detectors/deployed.ts';
import { DetectorError } from '../../src/detectors/detector.ts';
import { onnxFaceModels } from '../../src/detectors/face_models.ts';
import { importedRuntime } from '../../src/detectors/imported_runtime.ts';
import { parseManifest } from '../../src/detectors/manifest.ts';
import { MAX_MODEL_BYTES } from '../../src/detectors/model_file.ts';
import { openOnnxDetector } from '../../src/detectors/onnx_detector.ts';
import { searchBytes } from '../../src/detectors/search.ts';
import { passSide } from '../../src/faces/detection_plan.ts';

const MEGABYTE = 1024 * 1024;
/** Most detectors of a deployment: as many as a call may name. */
const MOST = 16;
/** Megabytes that a job takes beside what its detectors hold (setting_rules.js: the smallest budget). */
const SMALL_JOB_MB = 4;
/** Of the picture that a detector must have room for: as large as photographs are. */
const PHOTOGRAPH = { width: 4000, height: 3000 };

const [folder, out = fileURLToPath(new URL('../../dist/detectors', import.meta.url))] = process.argv.slice(2);
if (!folder) refuse(['npm run build:detectors -- <folder of manifests and models>']);

const { found, problems } = readFolder(folder);
const runtime = importedRuntime(await runtimeModule());
for (const one of found) {
  try {
    const { tensorBytes, kinds } = await openOnnxDetector(one.manifest, one.bytes, runtime);
    Object.assign(one, { tensorBytes, kinds });
  } catch (error) {
    problems.push(...problemsOf(error, one.file));
  }
}
if (problems.length > 0) refuse(problems);
const { heapBytes } = runtime;
await runFaceModels();
const heapBytesWithFaces = runtime.heapBytes;
write();

/** Every manifest of a folder with its model, and all that is wrong. */
function readFolder(path) {
  const problems = [];
  const found = [];
  const files = namesIn(path, problems);
  const manifests = files.filter((name) => name.endsWith('.json'));
  if (files.length > 0 && manifests.length === 0)
    problems.push(`${path}: expected manifests (*.json), but it has none`);
  if (manifests.length > MOST)
    problems.push(`${path}: expected at most ${MOST} manifests but it has ${manifests.length}`);
  const models = new Set();
  for (const file of manifests) {
    try {
      const one = readDetector(path, file);
      models.add(one.modelFile);
      const twin = found.find(({ manifest }) => manifest.name === one.manifest.name);
      if (twin)
        problems.push(`${file}: name: expected another than of ${twin.file} but it is ${twin.manifest.name}`);
      found.push(one);
    } catch (error) {
      problems.push(...problemsOf(error, file));
      models.add(file.replace(/\.json$/, '.onnx'));
    }
  }
  for (const file of files.filter((name) => name.endsWith('.onnx') && !models.has(name))) {
    problems.push(
      `${file}: expected a manifest beside it, ${file.replace(/onnx$/, 'json')}, but there is none`,
    );
  }
  return { found, problems };
}

function namesIn(path, problems) {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    problems.push(`${path}: expected a folder that can be read (${error.code})`);
    return [];
  }
}

function readDetector(path, file) {
  const manifest = parseManifest(parsedJson(readFileSync(join(path, file), 'utf8')), file);
  const modelFile = manifest.model ?? file.replace(/\.json$/, '.onnx');
  if (/[/\\]/.test(modelFile)) throw new Error('model: expected the name of a file beside the manifest');
  const bytes = readModel(join(path, modelFile), modelFile);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (manifest.sha256 !== undefined && manifest.sha256 !== sha256) {
    throw new Error(`sha256: expected ${manifest.sha256} but that of ${modelFile} is ${sha256}`);
  }
  return { file, manifest, modelFile, bytes, sha256 };
}

function readModel(path, name) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`expected its model, ${name}, beside it (${error.code})`);
  }
  if (bytes.length > MAX_MODEL_BYTES) {
    throw new Error(`expected a model of at most ${MAX_MODEL_BYTES} bytes but ${name} has ${bytes.length}`);
  }
  return bytes;
}

function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('expected a manifest in JSON');
  }
}

function problemsOf(error, file) {
  const lines = error instanceof DetectorError ? error.problems : [error.message];
  return lines.map((line) => `${file}: ${line}`);
}

async function runtimeModule() {
  const path = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
  return WebAssembly.compile(readFileSync(path));
}

/** Our own face networks on the largest input of a search: what FACE_ENGINE=onnxruntime-web holds. */
async function runFaceModels() {
  const [own, theirs] = ['face_detector', 'yunet_n'].map((name) => {
    const bytes = readFileSync(new URL(`../../models/${name}.onnx`, import.meta.url));
    return new Uint8Array(bytes).buffer;
  });
  const { network, tileNetwork } = onnxFaceModels(own, theirs, runtime, 0);
  const image = new Float32Array(3 * passSide * passSide).fill(128);
  for (const model of [network, tileNetwork]) await model.run(undefined, image, passSide, passSide);
}

function write() {
  const unfinished = `${out}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const imports = found.map(
    ({ manifest: { name } }, at) => `import model${at} from './detector.${name}.onnx';`,
  );
  const members = found.map(({ manifest, bytes, sha256, tensorBytes }, at) => {
    writeFileSync(join(unfinished, `detector.${manifest.name}.onnx`), bytes);
    return `  { model: model${at}, ...${JSON.stringify({ manifest, sha256, tensorBytes })} },`;
  });
  writeFileSync(
    join(unfinished, 'index.js'),
    `${imports.join('\n')}
export const detectors = [
${members.join('\n')}
];
export const heapBytes = ${heapBytes};
export const heapBytesWithFaces = ${heapBytesWithFaces};
`,
  );
  const figures = { core: memoryOf(heapBytes), 'onnxruntime-web': memoryOf(heapBytesWithFaces) };
  writeFileSync(join(unfinished, 'memory.json'), JSON.stringify(figures));
  rmSync(out, { recursive: true, force: true });
  renameSync(unfinished, out);
  const names = found.map(({ manifest, kinds }) => `${manifest.name} (${kinds.join(', ')})`);
  console.log(`Detectors: ${names.join(', ') || 'none'}. ${figures.core.text}`);
}

/** What a budget must be for these detectors: megabytes, and why. */
function memoryOf(heapBytes) {
  const models = found.map(({ bytes }) => bytes);
  const held = heldBytes(models, heapBytes) / MEGABYTE;
  const runs = found.map(({ manifest, tensorBytes }) => ({
    name: manifest.name,
    megabytes: searchBytes({ ...manifest, memory: tensorBytes }, PHOTOGRAPH) / MEGABYTE,
  }));
  const largest = runs.toSorted((a, b) => b.megabytes - a.megabytes)[0];
  const leastMb = Math.ceil(BASELINE_MB + held + SMALL_JOB_MB + (largest?.megabytes ?? 0));
  const ofModels = models.reduce((sum, { length }) => sum + length, 0);
  const run = largest ? `, a run of ${largest.name} ${rounded(largest.megabytes)}` : '';
  return {
    leastMb,
    text:
      `They take ${leastMb} MB: the service ${BASELINE_MB + SMALL_JOB_MB}, onnxruntime’s code ` +
      `${rounded(held - (heapBytes + ofModels) / MEGABYTE)}, its heap ${rounded(heapBytes / MEGABYTE)}, ` +
      `models ${rounded(ofModels / MEGABYTE)}${run}.`,
  };
}

function rounded(megabytes) {
  return Math.ceil(megabytes * 10) / 10;
}

/** @returns {never} */
function refuse(lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}
