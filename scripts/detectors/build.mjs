// `npm run build:detectors -- models`: prepares the detectors of a folder for `[env.onnx]` of wrangler.toml,
// in dist/detectors or the folder given after it. Opens and runs each once; writes nothing if one can't be
// used.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../plain_node.mjs';

const { BASELINE_MB } = await import('../../src/api/job_bytes.ts');
const { printableLines } = await import('../../src/cli/printable.ts');
const { heldBytes } = await import('../../src/detectors/deployed.ts');
const { DetectorError } = await import('../../src/detectors/detector.ts');
const { onnxFaceModels } = await import('../../src/detectors/face_models.ts');
const { importedRuntime } = await import('../../src/detectors/imported_runtime.ts');
const { parseManifest } = await import('../../src/detectors/manifest.ts');
const { MAX_MODEL_BYTES } = await import('../../src/detectors/model_file.ts');
const { greyView, openOnnxDetector } = await import('../../src/detectors/onnx_detector.ts');
const { searchBytes } = await import('../../src/detectors/search.ts');
const { passSide } = await import('../../src/faces/detection_plan.ts');

const MEGABYTE = 1024 * 1024;
/** Most bytes of a manifest, as in the library. */
const MAX_MANIFEST_BYTES = 64 * 1024;
/** Most detectors of a deployment: as many as one call may name. */
const MOST = 16;
/** Megabytes that a job takes besides those of its detectors (setting_rules.js: the smallest budget). */
const SMALL_JOB_MB = 4;
/** Size of the picture for which a detector must have memory: that of a large photograph. */
const PHOTOGRAPH = { width: 4000, height: 3000 };

/** Measuring time of passes, and their least and largest number: clocks of threads may be coarse. */
const MEASURED = { ms: 100, least: 2, most: 50 };

const [folder, out = fileURLToPath(new URL('../../dist/detectors', import.meta.url))] = process.argv.slice(2);
if (!folder) refuse(['npm run build:detectors -- <folder of manifests and models>']);

const { found, problems } = readFolder(folder);
const runtime = importedRuntime(await runtimeModule());
for (const one of found) {
  try {
    const detector = await openOnnxDetector(one.manifest, one.bytes, runtime);
    const passMs = await passTime(detector, one.manifest);
    Object.assign(one, { tensorBytes: detector.tensorBytes, kinds: detector.kinds, passMs });
  } catch (error) {
    problems.push(...problemsOf(error, one.file));
  }
}
if (problems.length > 0) refuse(problems);
const { heapBytes } = runtime;
await runFaceModels();
const heapBytesWithFaces = runtime.heapBytes;
write();

/** Every manifest of a folder with its model, and everything that is wrong. */
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
  const text = readWithin(path, file, MAX_MANIFEST_BYTES, 'a manifest');
  const manifest = parseManifest(parsedJson(text.toString()), file);
  const modelFile = manifest.model ?? file.replace(/\.json$/, '.onnx');
  if (/[/\\]/.test(modelFile)) throw new Error('model: expected the name of a file beside the manifest');
  const bytes = readWithin(path, modelFile, MAX_MODEL_BYTES, `its model, ${modelFile}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (manifest.sha256 !== undefined && manifest.sha256 !== sha256) {
    throw new Error(`sha256: expected ${manifest.sha256} but that of ${modelFile} is ${sha256}`);
  }
  return { file, manifest, modelFile, bytes, sha256 };
}

/**
 * Reads a file of the folder. Refuses a link out of it, because the files of the folder are bundled and
 * perhaps offered to everybody; and files without an end, such as pipes.
 */
function readWithin(folder, name, most, what) {
  const path = join(folder, name);
  let size;
  try {
    const isWithin = realpathSync(path).startsWith(realpathSync(folder) + sep);
    const facts = statSync(path);
    if (isWithin && facts.isFile()) size = facts.size;
  } catch (error) {
    throw new Error(`expected ${what}, a file of this folder (${error.code})`);
  }
  if (size === undefined) throw new Error(`expected ${what}, a file of this folder and no link out of it`);
  if (size > most) throw new Error(`expected ${what}, of at most ${most} bytes but it has ${size}`);
  return readFileSync(path);
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

/**
 * CPU milliseconds of a pass, after a first run.
 * @throws Error if it takes longer than its manifest allows: nothing else is answered meanwhile
 */
async function passTime(detector, manifest) {
  const before = process.threadCpuUsage();
  let [passes, spent] = [0, 0];
  while (passes < MEASURED.least || (spent < MEASURED.ms && passes < MEASURED.most)) {
    await detector.detect(greyView(manifest));
    passes++;
    const { user, system } = process.threadCpuUsage(before);
    spent = (user + system) / 1000;
  }
  const passMs = Math.ceil(spent / passes);
  if (passMs <= manifest.longestPassMs) return passMs;
  throw new Error(
    `a pass takes ${passMs} ms, in which no other call is answered, but longestPassMs is ` +
      `${manifest.longestPassMs}. A smaller view or network is faster`,
  );
}

/**
 * Runs our own face networks on the largest input of a search, for the memory of FACE_ENGINE=onnxruntime-web.
 */
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
  const members = found.map(({ manifest, bytes, sha256, tensorBytes, passMs }, at) => {
    writeFileSync(join(unfinished, `detector.${manifest.name}.onnx`), bytes);
    return `  { model: model${at}, ...${JSON.stringify({ manifest, sha256, tensorBytes, passMs })} },`;
  });
  const ofPage = found.flatMap(({ manifest, tensorBytes }) => {
    const { name, page } = manifest;
    if (!page) return [];
    const load = `async () => (await import('./detector.${name}.onnx')).default`;
    return `  { ...${JSON.stringify({ manifest, tensorBytes })}, load: ${load} },`;
  });
  writeFileSync(join(unfinished, 'page.js'), `export const detectors = [\n${ofPage.join('\n')}\n];\n`);
  buildPages(unfinished, ofPage.length > 0);
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
  const names = found.map(
    ({ manifest, kinds, passMs }) => `${manifest.name} (${kinds.join(', ')}; ${passMs} ms a pass)`,
  );
  console.log(`Detectors: ${names.join(', ') || 'none'}. ${figures.core.text}`);
}

/** The pages of the service; the one at `/` includes the offered detectors, if any. */
function buildPages(folder, isWithDetectors) {
  cpSync(fileURLToPath(new URL('../../dist/assets', import.meta.url)), join(folder, 'assets'), {
    recursive: true,
  });
  if (!isWithDetectors) return;
  const script = fileURLToPath(new URL('../playground/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, ['--no-warnings', script, '--detectors', resolve(folder)], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The page with these detectors could not be built');
}

/** The memory budget that these detectors need: megabytes, and why. */
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
  // File names may contain anything.
  process.stderr.write(printableLines(lines));
  process.exit(1);
}
