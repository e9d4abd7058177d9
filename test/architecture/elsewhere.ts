/** Files of src that have no test, nor what imports them in their room: by which test, and why there. */
const covered: readonly (readonly [test: string, why: string, files: string])[] = [
  [
    'app',
    'seen on the responses of the whole service',
    'index.ts api/answers/security_headers.ts api/middleware/other_methods.ts api/middleware/request_id.ts ' +
      'api/version.ts ops/health.ts',
  ],
  ['browser/own_detectors', 'the entry of the server that those tests start', 'onnx.ts'],
  ['api/routes/sanitize', 'each format in that call', 'codecs/registry.ts'],
  [
    'api/openapi/named_detectors',
    'the words that the description lists before those of detectors',
    'vocabulary/own_kinds.ts',
  ],
  [
    'api/routes/keys',
    'the token and the answers of those routes',
    'api/caller/admin.ts api/billing/key_records.ts',
  ],
  ['api/routes/detect', 'the job behind that route', 'sanitize/detect.ts'],
  ['api/routes/inspect', 'the job behind that route', 'sanitize/inspect.ts'],
  ['api/routes/playground', 'the files of the pages', 'api/answers/page_assets.ts'],
  ['api/billing/pricing', 'the route', 'api/routes/pricing.ts'],
  ['api/answers/errors', 'each kind and its status', 'faults.ts'],
  [
    'metadata/scan',
    'every rule of a container is a fixture with its expected facts',
    'metadata/block_names.ts',
  ],
  ['metadata/values/properties', 'no reader gives another kind', 'vocabulary/value_kinds.ts'],
  [
    'core/kernels/bands',
    'both against naive turns, side by side',
    'core/kernels/flip.ts core/kernels/rotate.ts',
  ],
  ['codecs/avif/decoder.node', 'what that decoder is predicted to hold', 'core/av1/memory.ts'],
  ['codecs/avif/rgba_rows', 'its rows beside numbers', 'core/av1/output.ts'],
  ['faces/detector', 'that detector, with the model', 'faces/isolate_detector.ts'],
  ['api/routes/detect', 'that detector, with the model, behind that route', 'readable/isolate_detector.ts'],
  ['library/index.node', 'where those calls run', 'library/home_node.ts'],
  [
    'library/package.slow.node',
    'needs the built package: real threads',
    'library/standalone.ts library/threads_node.ts library/threads_web.ts library/worker.ts ' +
      'library/worker_thread_inside.ts library/worker_thread_node.ts library/worker_thread_web.ts',
  ],
  ['cli/program.slow.node', 'the program, started', 'cli/main.ts'],
  [
    'served/own_detectors.slow.node',
    'needs a browser, and a page that was built with detectors',
    'playground/engine/detector_thread.ts playground/engine/own_detectors.ts',
  ],
  ['browser/main_flow', 'needs a browser: the page, from the file to its result', 'playground/main.ts'],
  [
    'browser/device',
    'needs a browser: the pipeline in workers that the document names',
    'playground/engine/assets.ts',
  ],
  [
    'browser/large_photo',
    'needs a browser: whole pictures in a worker of the page',
    'playground/pictures/picture_worker.ts',
  ],
  [
    'browser/offline',
    'needs a browser: without a network, and photos shared to the page',
    'playground/offline/service_worker.ts',
  ],
  ['browser/reference', 'needs a browser: the page at /docs', 'reference/start.js'],
];

/** Files → the test that covers them, a colon, and why. */
export const testedElsewhere: ReadonlyMap<string, string> = new Map(
  covered.flatMap(([test, why, files]) =>
    files.split(' ').map((file) => [`src/${file}`, `test/${test}.test.ts: ${why}`] as const),
  ),
);
