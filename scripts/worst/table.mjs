const { described } = await import('../../test/fixtures/worst/search.ts');

const megabytes = (bytes) => (bytes / (1024 * 1024)).toFixed(1);

/** CPU beyond that of a photograph of as many bytes. */
export const excess = ({ taken, ordinary }) => taken.cpuMs - ordinary.cpuMs;

/** A table in Markdown of requests and what they took, in their order. */
export function table(seen) {
  const rows = seen.map(({ trial, bytes, taken, ordinary }) =>
    [
      `${trial.shape.name} → ${trial.endpoint}`,
      taken.status,
      megabytes(bytes),
      (taken.cpuMs / 1000).toFixed(2),
      (ordinary.cpuMs / 1000).toFixed(2),
      taken.longestBlockMs.toFixed(0),
      taken.turns,
      megabytes(taken.peakBytes),
      described(trial),
    ].join(' | '),
  );
  const head =
    'request | status | MB sent | CPU s | ordinary CPU s | longest block ms | turns | resident MB | of';
  return [head, '--- | --- | --- | --- | --- | --- | --- | --- | ---', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}
