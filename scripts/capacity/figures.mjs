// The inputs of the model of docs/capacity.md, with the source of each figure.

const MB = 1_000_000;

/**
 * Kinds of calls on a photograph of 12 megapixels (4000 × 3000, JPEG of 2.9 MB).
 *
 * `cpuMs`: CPU time of all processes for one call over HTTP, one after the other. JPEG: the records of a
 * quiet machine of 2 cores (docs/measurements/benchmarks.md, 2026-11-24), and 5 ms for the front and for
 * counting; with faces a third more for the second look since then (docs/measurements/faces.md). WebP and
 * inspect: `npm run capacity:measure` of 2026-11-28 beside other work, so rather too much.
 * `jobBytes`: what the plan reserves from the header (src/sanitize/plan.ts), including the file.
 */
export const CALLS = {
  faces: { cpuMs: 355, fileBytes: 2.9 * MB, jobBytes: 30.6 * MB, answerBytes: 3.1 * MB },
  'no faces': { cpuMs: 85, fileBytes: 2.9 * MB, jobBytes: 15.7 * MB, answerBytes: 3.1 * MB },
  webp: { cpuMs: 1180, fileBytes: 2.9 * MB, jobBytes: 11.5 * MB, answerBytes: 1.6 * MB },
  inspect: { cpuMs: 80, fileBytes: 2.9 * MB, jobBytes: 2.9 * MB, answerBytes: 230 },
};

/** Memory shared by the jobs of an isolate: 128 MB less 28 for the runtime (src/api/runtime.ts). */
export const CAPACITY = 100 * 1024 * 1024;
/** Jobs that may wait (src/api/runtime.ts). */
export const PLACES = 16;

/**
 * Bytes per second of clients' connections, up and down: chosen, not measured. Each kind has half of the
 * clients.
 */
export const LINES = [
  { up: 1.25 * MB, down: 6 * MB },
  { up: 6 * MB, down: 12 * MB },
];

/** Requests to an object per served call of a key: admission, settlement (src/api/billing/metering.ts). */
export const OBJECT_REQUESTS = 2;
/** Rows written for such a call; test/metering/written_rows.test.ts counts them. */
export const ROWS_WRITTEN = 4;
/** Rows billed for setting the alarm, about once a minute for a key in use. */
export const ALARM_ROWS = 1;
/** Bytes of a key on disk: of its meter after a few calls, and of its record of issue. */
export const KEY_BYTES = 32_768 + 8_192;

/**
 * US dollars on Cloudflare's Workers Paid plan beyond what its 5 dollars a month include, as of 2026-11-22:
 * developers.cloudflare.com/workers/platform/pricing and …/durable-objects/platform/pricing.
 */
export const PRICES = {
  perMillionRequests: 0.3,
  perMillionCpuMs: 0.02,
  perMillionObjectRequests: 0.15,
  perMillionRowsWritten: 1,
  perMillionObjectGbSeconds: 12.5,
  perGbMonthStored: 0.2,
};
