import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Path of the runtime's program; the package carries no types. */
const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string };

/** A Worker in workerd itself, with nothing between it and its clients: proxies hide when a client goes away. */
export interface BareRuntime extends AsyncDisposable {
  readonly port: number;
}

/**
 * @param main path of a module that exports a Worker and `CallMeter`
 * @param flags compatibility flags
 */
export async function startBareRuntime(main: string, flags: readonly string[]): Promise<BareRuntime> {
  const folder = mkdtempSync(join(tmpdir(), 'bare-runtime-'));
  mkdirSync(join(folder, 'objects'));
  const settings = `name = "bare"\nmain = ${JSON.stringify(resolve(main))}\ncompatibility_date = "2026-10-20"\n`;
  writeFileSync(join(folder, 'wrangler.toml'), settings);
  const wrangler = resolve('node_modules/wrangler/bin/wrangler.js');
  const built = spawnSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
  });
  if (built.status !== 0) throw new Error(built.stderr);
  const script = main.split('/').at(-1)!.replace(/\.ts$/, '.js');
  writeFileSync(join(folder, 'config.capnp'), configOf(script, folder, flags));
  const child = spawn(workerd, ['serve', '--experimental', '--control-fd=3', join(folder, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const port = await new Promise<number>((listening, failed) => {
    child.once('exit', () => failed(new Error('workerd did not start')));
    const control = createInterface(child.stdio[3] as NodeJS.ReadableStream);
    control.on('line', (line) => {
      const event = JSON.parse(line) as { event: string; port: number };
      if (event.event === 'listen') listening(event.port);
    });
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(script: string, folder: string, flags: readonly string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "objects", disk = (path = ${JSON.stringify(join(folder, 'objects'))}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed ${JSON.stringify(script)})],
  compatibilityDate = "2026-10-20",
  compatibilityFlags = ${JSON.stringify(flags)},
  durableObjectNamespaces = [(className = "CallMeter", uniqueKey = "CallMeter", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "CALL_METER", durableObjectNamespace = (className = "CallMeter"))],
);
`;
}
