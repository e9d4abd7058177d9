/**
 * Runs ONNX files in onnxruntime-web, WebAssembly, one thread: what the service runs them in. Driven by runtime.py.
 * usage: node runtime.mjs file.onnx ...
 *
 * Both ways a message is: length of the head (uint32, little endian), the head (JSON), a body.
 * In: { model: index of the file, width, height }, body uint8 [height, width, 3].
 * Out: { ms, outputs: [{ name, dims }] }, body the outputs' float32 values one after the other.
 */
import { readFileSync, writeSync } from 'node:fs';
import ort from 'onnxruntime-web';

ort.env.wasm.numThreads = 1;
/** No word of the verifier's weights, which the graph does not use. */
const options = { executionProviders: ['wasm'], logSeverityLevel: 3 };
const sessions = [];
for (const path of process.argv.slice(2)) {
  sessions.push(await ort.InferenceSession.create(readFileSync(path), options));
}

/** Interleaved bytes as [1, 3, height, width] floats. */
function planes(bytes, width, height) {
  const size = width * height;
  const values = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    for (let c = 0; c < 3; c++) values[c * size + i] = bytes[3 * i + c];
  }
  return new ort.Tensor('float32', values, [1, 3, height, width]);
}

async function answer({ model, width, height }, body) {
  const session = sessions[model];
  const input = planes(body, width, height);
  const begun = performance.now();
  const results = await session.run({ [session.inputNames[0]]: input });
  const ms = performance.now() - begun;
  const outputs = session.outputNames.map((name) => ({ name, dims: results[name].dims }));
  const bodies = session.outputNames.map((name) => {
    const { buffer, byteOffset, byteLength } = results[name].data;
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  const head = Buffer.from(JSON.stringify({ ms, outputs }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  writeAll(Buffer.concat([length, head, ...bodies]));
  for (const name of session.outputNames) results[name].dispose();
}

function writeAll(bytes) {
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

let pending = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  pending = Buffer.concat([pending, chunk]);
  for (;;) {
    if (pending.length < 4) break;
    const start = 4 + pending.readUInt32LE(0);
    if (pending.length < start) break;
    const head = JSON.parse(pending.toString('utf8', 4, start));
    const end = start + 3 * head.width * head.height;
    if (pending.length < end) break;
    await answer(head, pending.subarray(start, end));
    pending = Buffer.from(pending.subarray(end));
  }
}
