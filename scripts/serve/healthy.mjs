// Checks whether this machine's server answers, for the health check of a container.
// usage: healthy.mjs <port>
const [, , port] = process.argv;
const answer = await fetch(`http://127.0.0.1:${port}/v1/health`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;
