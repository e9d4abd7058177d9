/** By test: files without a test of their own that no tested file of their room imports, and why there. */
const covered: readonly { readonly by: string; readonly why: string; readonly files: readonly string[] }[] = [
  {
    by: 'test/app.test.ts',
    why: 'seen on the responses of the whole service',
    files: [
      'src/index.ts',
      'src/api/answers/security_headers.ts',
      'src/api/middleware/other_methods.ts',
      'src/api/middleware/request_id.ts',
      'src/api/routes/health.ts',
      'src/api/version.ts',
      'src/ops/health.ts',
    ],
  },
  {
    by: 'test/browser/own_detectors.test.ts',
    why: 'the entry of the server that those tests start',
    files: ['src/onnx.ts'],
  },
  {
    by: 'test/api/routes/sanitize.test.ts',
    why: 'parts of that call, and each format in it',
    files: ['src/api/parse_ops.ts', 'src/codecs/registry.ts'],
  },
  {
    by: 'test/api/openapi/named_detectors.test.ts',
    why: 'the words that the description lists before those of detectors',
    files: ['src/own_kinds.ts'],
  },
  {
    by: 'test/api/routes/keys.test.ts',
    why: 'the token and the answers of those routes',
    files: ['src/api/caller/admin.ts', 'src/api/billing/key_records.ts'],
  },
  {
    by: 'test/api/routes/detect.test.ts',
    why: 'the job behind that route',
    files: ['src/sanitize/detect.ts'],
  },
  {
    by: 'test/api/routes/inspect.test.ts',
    why: 'the job behind that route',
    files: ['src/sanitize/inspect.ts'],
  },
  {
    by: 'test/api/routes/playground.test.ts',
    why: 'the files of the pages',
    files: ['src/api/answers/page_assets.ts'],
  },
  { by: 'test/api/billing/pricing.test.ts', why: 'the route', files: ['src/api/routes/pricing.ts'] },
  { by: 'test/api/answers/errors.test.ts', why: 'each kind and its status', files: ['src/faults.ts'] },
  {
    by: 'test/metadata/scan.test.ts',
    why: 'every rule of a container is a fixture with its expected facts',
    files: ['src/metadata/block_names.ts'],
  },
  {
    by: 'test/metadata/values/properties.test.ts',
    why: 'no reader gives another kind',
    files: ['src/vocabulary/value_kinds.ts'],
  },
  {
    by: 'test/metadata/values/read_values.test.ts',
    why: 'what the scan hands over to the readers of values',
    files: ['src/metadata/payloads.ts'],
  },
  {
    by: 'test/core/bands.test.ts',
    why: 'both against naive turns, side by side',
    files: ['src/core/flip.ts', 'src/core/rotate.ts'],
  },
  {
    by: 'test/codecs/avif/decoder.node.test.ts',
    why: 'what that decoder is predicted to hold',
    files: ['src/core/av1/memory.ts'],
  },
  {
    by: 'test/faces/detector.test.ts',
    why: 'that detector, with the model',
    files: ['src/faces/isolate_detector.ts'],
  },
  {
    by: 'test/api/routes/detect.test.ts',
    why: 'that detector, with the model, behind that route',
    files: ['src/readable/isolate_detector.ts'],
  },
  {
    by: 'test/library/index.node.test.ts',
    why: 'where those calls run',
    files: ['src/library/home_node.ts'],
  },
  {
    by: 'test/library/package.slow.node.test.ts',
    why: 'needs the built package: real threads',
    files: [
      'src/library/standalone.ts',
      'src/library/threads_node.ts',
      'src/library/threads_web.ts',
      'src/library/worker.ts',
      'src/library/worker_thread_inside.ts',
      'src/library/worker_thread_node.ts',
      'src/library/worker_thread_web.ts',
    ],
  },
  { by: 'test/cli/program.slow.node.test.ts', why: 'the program, started', files: ['src/cli/main.ts'] },
  {
    by: 'test/served/own_detectors.slow.node.test.ts',
    why: 'needs a browser, and a page that was built with detectors',
    files: ['src/playground/engine/detector_thread.ts', 'src/playground/engine/own_detectors.ts'],
  },
  {
    by: 'test/browser/main_flow.test.ts',
    why: 'needs a browser: the page, from the file to its result',
    files: ['src/playground/main.ts'],
  },
  {
    by: 'test/browser/device.test.ts',
    why: 'needs a browser: the pipeline in workers that the document names',
    files: ['src/playground/engine/assets.ts'],
  },
  {
    by: 'test/browser/large_photo.test.ts',
    why: 'needs a browser: whole pictures in a worker of the page',
    files: ['src/playground/pictures/picture_worker.ts'],
  },
  {
    by: 'test/browser/offline.test.ts',
    why: 'needs a browser: without a network, and photos shared to the page',
    files: ['src/playground/offline/service_worker.ts'],
  },
  {
    by: 'test/browser/reference.test.ts',
    why: 'needs a browser: the page at /docs',
    files: ['src/reference/start.js'],
  },
];

/** Files → the test that covers them, a colon, and why. */
export const testedElsewhere: ReadonlyMap<string, string> = new Map(
  covered.flatMap(({ by, why, files }) => files.map((file) => [file, `${by}: ${why}`] as const)),
);
