/** The architecture rules as tables; docs/architecture.md explains them. */

/** Whether values may be imported, or only types. */
type Reach = 'values' | 'types';

/** Room → the rooms it may import, and whether values or only types of them. */
export type Permissions = Readonly<Record<string, Readonly<Record<string, Reach>>>>;

/**
 * Who may import whom, lowest room first: a room may import itself and what it names of the rooms before it.
 * A room is a folder or a file of src, without the files that a longer key names: `api` is the files
 * directly in src/api except `api/env` and `api/metrics`. A check reports permissions that are not in use.
 */
export const mayImport: Permissions = {
  dist: {},
  models: {},
  wasm: {},
  faults: {},
  work: {},
  turn_line: {},
  safe_name: {},
  vocabulary: {},
  protobuf: {},
  json: {},
  own_kinds: {},
  time_slice: { faults: 'values', turn_line: 'values', work: 'values' },
  strips: { time_slice: 'types', work: 'values' },
  core: { dist: 'values', wasm: 'values', faults: 'values', work: 'values' },
  metadata: { vocabulary: 'values', core: 'values' },
  memory: { core: 'values', faults: 'values' },
  codecs: {
    metadata: 'values',
    core: 'values',
    memory: 'values',
    strips: 'values',
    time_slice: 'values',
    work: 'values',
    faults: 'values',
  },
  pixels: { vocabulary: 'types', codecs: 'types', core: 'values', strips: 'values', work: 'values' },
  faces: {
    protobuf: 'values',
    time_slice: 'values',
    strips: 'values',
    core: 'values',
    memory: 'types',
    codecs: 'types',
    models: 'values',
  },
  readable: {
    codecs: 'types',
    core: 'values',
    faces: 'values',
    memory: 'types',
    models: 'values',
    time_slice: 'values',
    work: 'types',
  },
  ops: { own_kinds: 'values', vocabulary: 'values' },
  detectors: {
    core: 'values',
    codecs: 'types',
    faces: 'values',
    ops: 'values',
    protobuf: 'values',
    time_slice: 'types',
    strips: 'values',
  },
  metering: {},
  sanitize: {
    own_kinds: 'values',
    vocabulary: 'values',
    metadata: 'values',
    memory: 'values',
    codecs: 'values',
    pixels: 'values',
    faces: 'values',
    readable: 'values',
    detectors: 'values',
    ops: 'types',
    time_slice: 'values',
    work: 'values',
    faults: 'values',
  },
  library: {
    core: 'values',
    detectors: 'values',
    faces: 'values',
    readable: 'values',
    faults: 'values',
    memory: 'values',
    metadata: 'values',
    models: 'values',
    ops: 'values',
    safe_name: 'values',
    sanitize: 'values',
  },
  'api/json_schema': {},
  'api/tools': { 'api/json_schema': 'values', ops: 'values' },
  /** The program `image-sanitizer`. */
  cli: {
    json: 'values',
    vocabulary: 'values',
    safe_name: 'values',
    library: 'values',
    ops: 'values',
    metadata: 'values',
    pixels: 'values',
    'api/tools': 'values',
  },
  'api/env': { detectors: 'types', metering: 'types' },
  'api/metrics': { ops: 'types' },
  'api/answers/errors': { ops: 'types', faults: 'values' },
  'api/body': { json: 'values', 'api/answers/errors': 'values' },
  'api/caller': { 'api/env': 'types', 'api/answers/errors': 'values', metering: 'values' },
  'api/billing': {
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/caller': 'values',
    metering: 'values',
    ops: 'types',
    time_slice: 'values',
  },
  'api/answers': {
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/body': 'values',
    'api/billing': 'values',
    metering: 'values',
    sanitize: 'types',
  },
  /** What a request brings, and what the work for it runs in. */
  api: {
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/body': 'values',
    'api/caller': 'values',
    ops: 'values',
    memory: 'values',
    faces: 'values',
    detectors: 'types',
    readable: 'values',
    sanitize: 'types',
    time_slice: 'values',
  },
  'api/middleware': {
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/body': 'values',
    'api/answers': 'values',
    api: 'values',
    ops: 'types',
  },
  'api/openapi': {
    own_kinds: 'values',
    'api/tools': 'values',
    'api/json_schema': 'values',
    'api/answers/errors': 'values',
    'api/billing': 'values',
    'api/body': 'values',
    api: 'values',
    ops: 'values',
  },
  'api/mcp': {
    'api/tools': 'values',
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/answers': 'values',
    'api/billing': 'values',
    'api/body': 'values',
    api: 'values',
    ops: 'types',
    memory: 'types',
    detectors: 'types',
    sanitize: 'values',
  },
  'api/routes': {
    'api/tools': 'values',
    dist: 'values',
    'api/env': 'types',
    'api/metrics': 'values',
    'api/answers/errors': 'values',
    'api/answers': 'values',
    'api/body': 'values',
    'api/caller': 'values',
    'api/billing': 'values',
    api: 'values',
    'api/openapi': 'values',
    'api/mcp': 'values',
    ops: 'values',
    metering: 'values',
    faces: 'values',
    sanitize: 'values',
  },
  client: { ops: 'types' },
  /**
   * The page at GET /: the library in its workers, or the service as any client calls it; its sentences; and
   * what the pipeline plans to hide, to show it before.
   */
  playground: {
    detectors: 'values',
    own_kinds: 'values',
    vocabulary: 'values',
    client: 'values',
    library: 'values',
    metadata: 'values',
    pixels: 'values',
    readable: 'values',
    sanitize: 'values',
    safe_name: 'values',
  },
  /** The page that is served at GET /docs. */
  reference: {},
  app: {
    'api/env': 'types',
    'api/answers/errors': 'values',
    'api/answers': 'values',
    'api/billing': 'values',
    'api/middleware': 'values',
    'api/routes': 'values',
  },
  index: { metering: 'values', app: 'values' },
  /** The Worker of `[env.onnx]`. */
  onnx: {
    models: 'values',
    faces: 'values',
    'api/env': 'types',
    detectors: 'values',
    metering: 'values',
    app: 'values',
  },
};

/** The files of the image core's sources that its host may import: numbers alone, in both languages alike. */
export const SHARED_CONSTANTS = /^wasm\/assembly\/(?:.+\/)?(?:constants|faults)\.ts$/;

/**
 * The room of a file: the longest key of `mayImport` that its path begins with; undefined if there is none.
 */
export function roomOf(path: string): string | undefined {
  if (path.startsWith('wasm/') && !SHARED_CONSTANTS.test(path)) return undefined;
  const parts = path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/');
  for (let length = parts.length; length > 0; length--) {
    const room = parts.slice(0, length).join('/');
    if (Object.hasOwn(mayImport, room)) return room;
  }
  return undefined;
}

/** Packages by the beginning of their name, and the only places that may import them. */
export const packages: readonly (readonly [name: string, places: readonly string[]])[] = [
  ['hono', ['src/api/', 'src/app.ts']],
  [
    'zod',
    ['src/ops/', 'src/detectors/', 'src/api/', 'src/metering/', 'src/library/valid_ops.ts', 'src/cli/'],
  ],
  ['commander', ['src/cli/arguments.ts', 'src/cli/file_command.ts', 'src/cli/file_options.ts']],
  ['picomatch', ['src/cli/find_files.ts']],
  ['cli-progress', ['src/cli/progress_bar.ts']],
  ['#home', ['src/library/run_job.ts', 'src/library/image_input.ts', 'src/library/onnx.ts']],
  [
    'onnxruntime-web',
    [
      'src/library/onnx.ts',
      'src/detectors/imported_runtime.ts',
      'src/onnx.ts',
      'src/playground/engine/own_detectors.ts',
    ],
  ],
  ['#detectors', ['src/onnx.ts']],
  ['#page-detectors', ['src/playground/engine/own_detectors.ts']],
  ['#world-land', ['src/playground/findings/place_map.ts']],
  ['#towns', ['src/playground/findings/findings.ts']],
  ['#threads', ['src/library/worker.ts']],
  ['#parts', ['src/library/home_inside.ts', 'src/library/threads_inside.ts']],
  ['@fastify/busboy', ['src/api/body/']],
  ['@modelcontextprotocol/server', ['src/api/mcp/', 'src/api/routes/mcp.ts', 'src/cli/mcp/']],
  ['lcms-wasm', ['src/pixels/colour/']],
  [
    'node:',
    [
      'src/api/',
      'src/library/home_node.ts',
      'src/library/threads_node.ts',
      'src/library/worker_thread_node.ts',
      'src/cli/',
    ],
  ],
  ['client-zip', ['src/playground/photos/save_all.ts']],
  ['cloudflare:workers', ['src/metering/call_meter.ts']],
];

/** What must not occur in code, where, and why. */
export const banned: readonly {
  readonly pattern: RegExp;
  /** Beginnings of paths it is banned from. */
  readonly from: readonly string[];
  readonly except?: readonly string[];
  readonly why: string;
}[] = [
  {
    pattern: /\bconsole\s*\./,
    from: ['src/', 'client/', 'wasm/'],
    // It writes programs for people to copy.
    except: ['src/playground/result/snippets.ts'],
    why: 'nothing is logged',
  },
  {
    pattern: /\b(?:Date\.now|performance\.now|Math\.random|randomUUID|getRandomValues)\b|\bnew Date\(\)/,
    from: ['src/', 'wasm/'],
    except: ['src/api/', 'src/metering/call_meter.ts', 'src/playground/', 'src/cli/main.ts'],
    why: 'time, randomness and ids are arguments outside api, the Durable Object, the page and the program',
  },
  {
    pattern: /\bnew (?:Request|Response|Headers)\b|: (?:Request|Response|Headers|Env)\b/,
    from: ['src/', 'wasm/'],
    // Modules are compiled from responses.
    except: [
      'src/api/',
      'src/app.ts',
      'src/index.ts',
      'src/library/home_inside.ts',
      // Middleware for the servers of others.
      'src/library/upload/',
      'src/playground/engine/assets.ts',
    ],
    why: 'only api knows HTTP',
  },
  {
    pattern: /import (?:type )?\{ z \} from 'zod'/,
    from: ['src/'],
    why: 'bundlers keep all of zod, with its languages, for the object z',
  },
];

/** Words that mark unfinished work; not allowed in comments either. */
export const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/** A file longer than this is a fault. */
export const MAX_LINES = 400;

/** Files that consist of one table, which many lines don't make harder to read. */
export const tables: ReadonlyMap<string, string> = new Map([
  ['wasm/assembly/av1/quantise/matrices.ts', 'the quantiser matrices of AV1'],
]);
