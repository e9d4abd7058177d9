import { extname } from 'node:path';
import { SECRETS, SETTINGS } from './settings.mjs';

/** How the runtime takes the files that a bundle is made of. */
const MODULE_KINDS = { '.js': 'esModule', '.wasm': 'wasm', '.onnx': 'data' };

/**
 * Options of V8. Memories of cores that are dropped do not count when it decides to collect: the service asks
 * for that (src/core/memory_pool.ts). A young generation that may grow to 32 MB does so under load: of
 * 2 MB, objects that live as long as a call are moved on sooner, and that is all.
 */
const V8_FLAGS = ['--expose-gc', '--max-semi-space-size=2'];

/**
 * Configuration of workerd (workerd.capnp of its package) for a server of one's own. Addresses, folders and
 * secrets are not in it: the command line and the environment give them.
 * @param {object} bundle
 * @param {string} bundle.main the module that workerd starts
 * @param {readonly string[]} bundle.files all files of the bundle, below `worker/`
 * @param {string} bundle.compatibilityDate
 * @param {readonly string[]} bundle.compatibilityFlags
 * @param {Readonly<Record<string, { type: string, tag: string }>>} bundle.pages by path
 */
export function workerdConfig({ main, files, compatibilityDate, compatibilityFlags, pages }) {
  // The runtime starts the first module of its list.
  const modules = [main, ...files.filter((file) => file !== main)].flatMap((file) => {
    const kind = MODULE_KINDS[extname(file)];
    return kind ? [`    (name = ${text(`./${file}`)}, ${kind} = embed ${text(`worker/${file}`)})`] : [];
  });
  const variables = [...Object.keys(SECRETS), ...SETTINGS].map(
    (name) => `    (name = ${text(name)}, fromEnvironment = ${text(name)})`,
  );
  const compatibility = [
    `  compatibilityDate = ${text(compatibilityDate)},`,
    `  compatibilityFlags = [${compatibilityFlags.map(text).join(', ')}],`,
  ].join('\n');
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "pages", worker = .pages),
    (name = "objects", disk = (writable = true)),
    (name = "files", disk = ()),
    # The service asks nobody for anything.
    (name = "internet", network = (allow = [])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
  v8Flags = [${V8_FLAGS.map(text).join(', ')}],
);
const worker :Workerd.Worker = (
  modules = [
${modules.join(',\n')},
  ],
${compatibility}
  durableObjectNamespaces = [(className = "CallMeter", uniqueKey = "CallMeter", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "CALL_METER", durableObjectNamespace = (className = "CallMeter")),
    # One isolate serves all, and the runtime deletes no file of an emptied object.
    (name = "ANONYMOUS_WINDOWS", text = "memory"),
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

/** A text as Cap'n Proto writes it; what is written here is plain ASCII. */
function text(value) {
  return JSON.stringify(value);
}
