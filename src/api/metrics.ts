import type { ErrorCode } from '../ops/responses.ts';

/**
 * The phases of a call whose time is measured: each question to a meter; receiving the body; each wait for
 * memory; the job, with its waits and face detection; each face detection; sending the answer.
 */
export const PHASES = ['meter', 'receiving', 'waiting', 'working', 'faces', 'sending'] as const;
export type Phase = (typeof PHASES)[number];

/** Upper bounds of the histograms' buckets, in seconds: from one round trip to the longest job. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60] as const;

interface Histogram {
  /** Observations up to each bound, and those beyond all of them. */
  readonly counts: number[];
  sum: number;
}

/** One entry for each of `PHASES`, in their order. */
interface PhaseSums {
  readonly seconds: number[];
  readonly times: number[];
}

/** Values read at the moment of the request. */
export interface Gauges {
  readonly version: string;
  /** Bytes that jobs share, and how many of them are in use. */
  readonly memoryBytes: number;
  readonly memoryHeldBytes: number;
  readonly callsWaiting: number;
}

/**
 * Counters of one isolate since it started: numbers by labels from closed sets. Nothing that a client sends
 * becomes a label. So the counters hold nothing of an image, a key or an address, and their number is
 * bounded: routes are the registered patterns, methods those of RFC 9110.
 */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #requestSeconds = new Map<string, Histogram>();
  readonly #phaseSeconds = new Map<string, Histogram>();
  #phasesToTake = noPhases();
  #detectorPasses = 0;

  /** One call answered. @param seconds until its answer began */
  request(route: string, method: string, status: number, seconds: number): void {
    add(this.#requests, labels({ route, method, status: String(status) }), 1);
    observe(this.#requestSeconds, labels({ route }), seconds);
  }

  /** One call answered with an error. */
  refusal(code: ErrorCode): void {
    add(this.#refusals, labels({ code }), 1);
  }

  phase(phase: Phase, seconds: number): void {
    observe(this.#phaseSeconds, labels({ phase }), seconds);
    const index = PHASES.indexOf(phase);
    this.#phasesToTake.seconds[index]! += seconds;
    this.#phasesToTake.times[index]! += 1;
  }

  /** The time of all phases since the last call of this method, and how often each was measured. */
  takePhases(): PhaseSums {
    const taken = this.#phasesToTake;
    this.#phasesToTake = noPhases();
    return taken;
  }

  /** Runs of the face model for one picture. */
  detectorPasses(passes: number): void {
    this.#detectorPasses += passes;
  }

  /** Prometheus text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  text({ version, memoryBytes, memoryHeldBytes, callsWaiting }: Gauges): string {
    const gauge = (name: string, help: string, value: number, label = '') => [
      ...head(name, 'gauge', help),
      `${PREFIX}${name}${label} ${value}`,
    ];
    const lines = [
      ...gauge('info', 'What is running.', 1, `{${labels({ version })}}`),
      ...counters('requests_total', 'Calls answered.', this.#requests),
      ...counters('refusals_total', 'Calls answered with an error, by its code.', this.#refusals),
      ...histograms('request_seconds', 'Time until an answer began.', this.#requestSeconds),
      ...histograms(
        'phase_seconds',
        'Time that calls spent. A job (working) contains its looks for faces, and waits for memory.',
        this.#phaseSeconds,
      ),
      ...counters('detector_passes_total', 'Runs of the face model.', new Map([['', this.#detectorPasses]])),
      ...gauge('memory_bytes', 'Memory that all jobs share.', memoryBytes),
      ...gauge('memory_held_bytes', 'Memory that calls hold.', memoryHeldBytes),
      ...gauge('calls_waiting', 'Calls that wait for memory.', callsWaiting),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** The metrics of this isolate. */
export const metrics = new Metrics();

/** Runs work and records how long it took, whether it failed or not. */
export async function timed<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  try {
    return await work();
  } finally {
    metrics.phase(phase, (Date.now() - start) / 1000);
  }
}

function noPhases(): PhaseSums {
  return { seconds: PHASES.map(() => 0), times: PHASES.map(() => 0) };
}

const PREFIX = 'image_sanitizer_';

/** Labels in the text format; values are from closed sets, so nothing needs escaping. */
function labels(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function observe(histogramsByLabels: Map<string, Histogram>, key: string, seconds: number): void {
  const histogram = histogramsByLabels.get(key) ?? { counts: BOUNDS.map(() => 0).concat(0), sum: 0 };
  histogramsByLabels.set(key, histogram);
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
  histogram.counts[bucket < 0 ? BOUNDS.length : bucket]! += 1;
  histogram.sum += seconds;
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${PREFIX}${name} ${help}`, `# TYPE ${PREFIX}${name} ${type}`];
}

function counters(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const rows = [...counts].map(([key, count]) => `${PREFIX}${name}${key && `{${key}}`} ${count}`);
  return [...head(name, 'counter', help), ...rows];
}

function histograms(name: string, help: string, all: ReadonlyMap<string, Histogram>): string[] {
  const rows = [...all].flatMap(([key, { counts, sum }]) => {
    let count = 0;
    const buckets = [...BOUNDS, '+Inf'].map((bound, i) => {
      count += counts[i] ?? 0;
      return `${PREFIX}${name}_bucket{${key},le="${bound}"} ${count}`;
    });
    return [...buckets, `${PREFIX}${name}_sum{${key}} ${sum}`, `${PREFIX}${name}_count{${key}} ${count}`];
  });
  return [...head(name, 'histogram', help), ...rows];
}
