/** The house rules as tables; docs/architecture.md says them in words. */

/** Whether values may be imported, or only types. */
export type Reach = 'values' | 'types';

/** Who may import whom. A room may always import itself. */
export const mayImport: Readonly<Record<string, Readonly<Record<string, Reach>>>> = {
  faults: {},
  core: { dist: 'values', faults: 'values' },
  memory: { core: 'values', faults: 'values' },
  metadata: { core: 'values' },
  codecs: { metadata: 'values', core: 'values', memory: 'values', faults: 'values' },
  pixels: { codecs: 'types', core: 'values', faults: 'values' },
  faces: { pixels: 'values', codecs: 'types', models: 'values', faults: 'values' },
  ops: { faults: 'values' },
  metering: {},
  sanitize: {
    metadata: 'values',
    memory: 'values',
    codecs: 'values',
    pixels: 'values',
    faces: 'values',
    ops: 'types',
    faults: 'values',
  },
  api: {
    metadata: 'values',
    memory: 'values',
    core: 'values',
    codecs: 'values',
    pixels: 'values',
    faces: 'values',
    ops: 'values',
    metering: 'values',
    sanitize: 'values',
    playground: 'values',
    faults: 'values',
  },
  playground: {},
  app: { api: 'values' },
  index: { app: 'values', metering: 'values' },
};

/** The room of a file, or undefined where none is known. */
export function roomOf(path: string): string | undefined {
  if (path.startsWith('models/')) return 'models';
  if (path.startsWith('dist/')) return 'dist';
  const room = /^src\/(?:(\w+)\/|(faults|app|index)\.ts$)/.exec(path);
  return room?.[1] ?? room?.[2];
}

/** Packages, by the beginning of their name, and the only places that may know them. */
export const packages: readonly (readonly [name: string, places: readonly string[]])[] = [
  ['hono', ['src/api/', 'src/app.ts']],
  ['zod', ['src/ops/', 'src/api/', 'src/metering/']],
  ['@fastify/busboy', ['src/api/body/']],
  ['@modelcontextprotocol/server', ['src/api/']],
  ['@jsquash/', ['src/codecs/']],
  ['lcms-wasm', ['src/codecs/', 'src/pixels/']],
  ['onnxruntime-web', ['src/faces/session.ts']],
  ['node:', ['src/api/', 'src/codecs/']],
  ['cloudflare:workers', ['src/metering/call_meter.ts', 'src/index.ts']],
];

/** What must not stand in code, where, and why. */
export const banned: readonly {
  readonly pattern: RegExp;
  /** Beginnings of paths it is banned from. */
  readonly from: readonly string[];
  readonly except?: readonly string[];
  readonly why: string;
}[] = [
  { pattern: /\bconsole\s*\./, from: ['src/', 'wasm/'], why: 'nothing is logged' },
  {
    pattern: /\b(?:Date\.now|performance\.now|Math\.random|randomUUID|getRandomValues)\b|\bnew Date\(\)/,
    from: ['src/', 'wasm/'],
    except: ['src/api/', 'src/metering/call_meter.ts'],
    why: 'time, randomness and ids are arguments outside api and the Durable Object',
  },
  {
    pattern: /\bnew (?:Request|Response|Headers)\b|: (?:Request|Response|Headers|Env)\b/,
    from: ['src/', 'wasm/'],
    except: ['src/api/', 'src/app.ts', 'src/index.ts'],
    why: 'only api knows HTTP',
  },
];

/** Words that mark unfinished work: nowhere, comments included. */
export const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/** A file longer than this is a fault. */
export const MAX_LINES = 400;

/** Files that are one table, which lines don't make harder to read. */
export const tables: ReadonlyMap<string, string> = new Map();
