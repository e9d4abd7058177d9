const { described } = await import('../../test/fixtures/worst/search.ts');

const megabytes = (bytes) => (bytes / (1024 * 1024)).toFixed(1);

/** A table in Markdown of requests and what they took, the most CPU first. */
export function table(seen) {
  const rows = [...seen]
    .sort((a, b) => b.taken.cpuMs - a.taken.cpuMs)
    .map(({ trial, bytes, taken }) =>
      [
        `${trial.shape.name} → ${trial.endpoint}`,
        taken.status,
        megabytes(bytes),
        (taken.cpuMs / 1000).toFixed(2),
        taken.stretchMs.toFixed(0),
        taken.turns,
        megabytes(taken.peakBytes),
        described(trial),
      ].join(' | '),
    );
  const head = 'request | status | MB sent | CPU s | stretch ms | turns | resident MB | of';
  return [head, '--- | --- | --- | --- | --- | --- | --- | ---', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n');
}
