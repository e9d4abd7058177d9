import { extname } from 'node:path';
import { SECRETS, SETTINGS } from './settings.mjs';

/** The module type of each kind of file in a bundle. */
const MODULE_KINDS = { '.js': 'esModule', '.wasm': 'wasm', '.onnx': 'data' };

/**
 * Options of V8. V8 does not count the memories of dropped cores when it decides to collect, so the service
 * requests collections (src/core/memory_pool.ts). A young generation that may grow to 32 MB does so under
 * load; with 2 MB, objects that live as long as a call are promoted sooner, with no other effect.
 */
const V8_FLAGS = ['--expose-gc', '--max-semi-space-size=2'];

/** By which the processes with pictures ask the counting one (src/api/own_server/counters.ts). */
const ENTRYPOINT = 'Counters';
/** Name of that connection, the same on both sides (workerd.capnp: capnpConnectHost). */
const RPC_HOST = 'counters';

/**
 * Configuration of workerd (workerd.capnp of its package) for a process that works on pictures. It contains
 * no addresses, folders or secrets: these come from the command line and the environment.
 * @param {object} bundle
 * @param {string} bundle.main the module that workerd starts
 * @param {readonly string[]} bundle.files all files of the bundle, below `worker/`
 * @param {string} bundle.compatibilityDate
 * @param {readonly string[]} bundle.compatibilityFlags
 * @param {Readonly<Record<string, { type: string, tag: string }>>} bundle.pages by path
 */
export function workerdConfig({ main, files, pages, ...compatibilityOf }) {
  // The runtime starts the first module of its list.
  const modules = [main, ...files.filter((file) => file !== main)].flatMap((file) => {
    const kind = MODULE_KINDS[extname(file)];
    return kind ? [`    (name = ${text(`./${file}`)}, ${kind} = embed ${text(`worker/${file}`)})`] : [];
  });
  const variables = [...Object.keys(SECRETS), ...SETTINGS].map(
    (name) => `    (name = ${text(name)}, fromEnvironment = ${text(name)})`,
  );
  const compatibility = compatibilityText(compatibilityOf);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "pages", worker = .pages),
    (name = "files", disk = ()),
    (name = "counters", external = (http = (capnpConnectHost = ${text(RPC_HOST)}))),
    # The service asks nobody else for anything.
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
${v8Flags}
);
const worker :Workerd.Worker = (
  modules = [
${modules.join(',\n')},
  ],
${compatibility}
  bindings = [
    (name = "COUNTERS", service = "counters"),
    (name = "ASSETS", service = "pages"),
${variables.join(',\n')},
  ],
);
const pages :Workerd.Worker = (
  modules = [(name = "./pages.js", esModule = embed "pages.js")],
${compatibility}
  bindings = [
    (name = "FILES", service = "files"),
    (name = "PAGES", json = ${text(JSON.stringify(pages))}),
  ],
);
`;
}

/**
 * Configuration of workerd for the process that counts calls. It answers over HTTP as well, to be watched.
 * @param {{ compatibilityDate: string, compatibilityFlags: readonly string[] }} bundle
 */
export const counterConfig = (bundle) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "counter", worker = .counter),
    (name = "objects", disk = (writable = true)),
    (name = "internet", network = (allow = [])),
  ],
  sockets = [
    (
      name = "rpc",
      http = (capnpConnectHost = ${text(RPC_HOST)}),
      service = (name = "counter", entrypoint = ${text(ENTRYPOINT)}),
    ),
    (name = "http", http = (), service = "counter"),
  ],
${v8Flags}
);
const counter :Workerd.Worker = (
  modules = [(name = "./counter.js", esModule = embed "counter.js")],
${compatibilityText(bundle)}
  durableObjectNamespaces = [(className = "CallMeter", uniqueKey = "CallMeter", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "CALL_METER", durableObjectNamespace = (className = "CallMeter"))],
);
`;

const v8Flags = `  v8Flags = [${V8_FLAGS.map((flag) => JSON.stringify(flag)).join(', ')}],`;

const compatibilityText = ({ compatibilityDate, compatibilityFlags }) =>
  [
    `  compatibilityDate = ${text(compatibilityDate)},`,
    `  compatibilityFlags = [${compatibilityFlags.map(text).join(', ')}],`,
  ].join('\n');

/** A text in Cap'n Proto's notation; only plain ASCII is written here. */
function text(value) {
  return JSON.stringify(value);
}
