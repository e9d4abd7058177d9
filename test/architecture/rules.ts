/** The architecture rules as tables; docs/architecture.md explains them. */

/** Whether values may be imported, or only types. */
type Reach = 'values' | 'types';

/** Room → the rooms it may import, and whether values or only types of them. */
export type Permissions = Readonly<Record<string, Readonly<Record<string, Reach>>>>;

/**
 * Who may import whom, lowest room first: a room may import itself and what it names of the rooms before it:
 * first those whose values, then those of which it may import types only. A room is a folder or a file of
 * src, without the files that a longer name has: `api` is the files directly in src/api except `api/env` and
 * `api/metrics`. A check reports permissions that are not in use.
 */
const rows: readonly (readonly [room: string, values?: string, types?: string])[] = [
  ['dist'],
  ['models'],
  ['wasm'],
  ['faults'],
  ['scheduling/work'],
  ['safe_name'],
  ['vocabulary'],
  ['protobuf'],
  ['json'],
  /** When a job works, and when it lets others work. */
  ['scheduling', 'faults scheduling/work'],
  ['strips', 'scheduling/work', 'scheduling'],
  ['core', 'dist wasm faults scheduling/work'],
  ['metadata', 'vocabulary core'],
  ['memory', 'core faults'],
  ['codecs', 'metadata core memory strips scheduling scheduling/work faults'],
  ['pixels', 'core strips scheduling/work', 'vocabulary codecs'],
  ['faces', 'protobuf scheduling strips core models', 'memory codecs'],
  ['readable', 'core faces models scheduling', 'codecs memory scheduling/work'],
  ['ops', 'vocabulary'],
  ['detectors', 'core faces ops protobuf strips', 'codecs scheduling'],
  ['metering', 'vocabulary'],
  [
    'sanitize',
    'vocabulary metadata memory codecs pixels faces readable detectors scheduling scheduling/work faults',
    'ops',
  ],
  ['library', 'core detectors faces readable faults memory metadata models ops safe_name sanitize'],
  ['api/json_schema'],
  ['api/tools', 'vocabulary api/json_schema ops'],
  /** The program `image-sanitizer`. */
  ['cli', 'json vocabulary safe_name library ops metadata pixels api/tools'],
  ['api/env', '', 'detectors metering'],
  ['api/metrics', '', 'ops'],
  ['api/answers/errors', 'faults', 'ops'],
  ['api/body', 'json api/answers/errors'],
  ['api/caller', 'api/answers/errors metering', 'api/env'],
  ['api/billing', 'api/metrics api/answers/errors api/caller metering scheduling', 'api/env ops'],
  ['api/answers', 'api/metrics api/answers/errors api/body api/billing metering', 'api/env sanitize'],
  /** What a request brings, and what the work for it runs in. */
  [
    'api',
    'json api/metrics api/answers/errors api/body api/caller ops memory faces readable scheduling',
    'api/env detectors sanitize',
  ],
  ['api/middleware', 'api/metrics api/answers/errors api/body api/answers api', 'api/env ops'],
  /** The counting process of a self-hosted server, and what the front there shares with the Worker. */
  [
    'api/own_server',
    'api/answers/errors api/answers api/billing api/caller api/middleware metering',
    'api/env',
  ],
  ['api/openapi', 'vocabulary api/tools api/json_schema api/answers/errors api/billing api/body api ops'],
  [
    'api/mcp',
    'json api/tools api/metrics api/answers/errors api/answers api/billing api/body api sanitize',
    'api/env ops memory detectors',
  ],
  [
    'api/routes',
    'api/tools dist api/metrics api/answers/errors api/answers api/body api/caller api/billing api api/openapi ' +
      'api/mcp ops metering faces sanitize',
    'api/env',
  ],
  ['client', '', 'ops'],
  /**
   * The page at GET /: the library in its workers, or the service as any client calls it; its sentences; and
   * what the pipeline plans to hide, to show it before.
   */
  ['playground', 'detectors vocabulary client library metadata pixels readable sanitize safe_name'],
  /** The page that is served at GET /docs. */
  ['reference'],
  ['app', 'api/answers/errors api/answers api/billing api/middleware api/routes', 'api/env'],
  ['index', 'metering api/billing app', 'api/env'],
  /** The Worker of `[env.onnx]`. */
  ['onnx', 'models faces detectors metering api/billing app', 'api/env'],
];

const each = (rooms: string, reach: Reach) =>
  rooms.split(' ').flatMap((room) => (room ? [[room, reach]] : []));

export const mayImport: Permissions = Object.fromEntries(
  rows.map(([room, values = '', types = '']) => [
    room,
    Object.fromEntries([...each(values, 'values'), ...each(types, 'types')]),
  ]),
);

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
  ['cloudflare:workers', ['src/metering/call_meter.ts', 'src/api/own_server/counters.ts']],
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
