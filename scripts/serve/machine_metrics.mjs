import { request } from 'node:http';

/**
 * The metrics of all processes as one text. Every line tells its process by a label, so that a process that
 * starts anew resets its own counters alone
 * (https://prometheus.io/docs/concepts/metric_types/#counter).
 * @param {readonly string[]} texts of the processes by their numbers, in Prometheus's text format
 */
export function joinedMetrics(texts) {
  /** @type {Map<string, string[]>} by the comments of a metric, which the format wants once */
  const metrics = new Map();
  for (const [index, text] of texts.entries()) {
    let head = '';
    for (const line of text.split('\n').filter(Boolean)) {
      if (line.startsWith('# HELP')) head = line;
      else if (line.startsWith('#')) head += `\n${line}`;
      if (line.startsWith('# HELP')) continue;
      const lines = metrics.get(head) ?? [];
      metrics.set(head, lines);
      if (!line.startsWith('#')) lines.push(labelled(line, `process="${index + 1}"`));
    }
  }
  return [...metrics].map(([head, lines]) => `${[head, ...lines].join('\n')}\n`).join('');
}

/** A line with one more label. */
function labelled(line, label) {
  const [, name, labels = '', value] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  return `${name}{${labels ? `${labels},` : ''}${label}} ${value}`;
}

/** Milliseconds for a process to tell its metrics. */
const METRICS_MS = 5000;

/**
 * Asks all processes the same, and joins their metrics.
 * @param {readonly string[]} sockets
 * @param {readonly string[]} headers of the request, as Node has them
 * @returns {Promise<{ status: number, headers: readonly string[], body: string }>} the first refusal, if one
 * refuses
 */
export async function machineMetrics(sockets, headers) {
  const answers = [];
  for (const socketPath of sockets) {
    const answer = await metricsOf(socketPath, headers);
    if (answer.status !== 200) return answer;
    answers.push(answer);
  }
  return { ...answers[0], body: joinedMetrics(answers.map(({ body }) => body)) };
}

const metricsOf = (socketPath, headers) =>
  new Promise((told, failed) => {
    const signal = AbortSignal.timeout(METRICS_MS);
    const options = { socketPath, path: '/metrics', headers, agent: false, setHost: false, signal };
    const asked = request({ ...options, setDefaultHeaders: false }, async (answer) => {
      const chunks = await answer.toArray().catch(failed);
      if (chunks)
        told({ status: answer.statusCode, headers: answer.rawHeaders, body: `${Buffer.concat(chunks)}` });
    });
    asked.on('error', failed).end();
  });
