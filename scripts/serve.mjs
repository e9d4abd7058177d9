// `npm run serve -- --port 8787 --data /var/lib/image-sanitizer`: runs the Worker as it is deployed, in
// workerd itself, on a self-hosted machine. Secrets come from the environment and are passed on nowhere else.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Expected Node.js ${OLDEST_NODE} or newer, but this is ${process.versions.node}.`);
  console.error('npm run serve takes the right one, which is also node_modules/.bin/node.');
  process.exit(1);
}
await import('./serve/main.mjs');
