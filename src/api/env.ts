import type { CallMeter } from '../metering/call_meter.ts';

/**
 * What the deployment gives the Worker. Secrets are optional: without them anonymous callers are still
 * served.
 */
export interface Bindings {
  readonly CALL_METER: DurableObjectNamespace<CallMeter>;
  /** The files of the pages, made by npm's prepare step. */
  readonly ASSETS: Fetcher;
  /** Megabytes one isolate may hold for all its jobs together. */
  readonly MEMORY_BUDGET_MB?: string;
  readonly ADMIN_TOKEN?: string;
  /** HMAC-SHA-256 secrets of API keys, comma-separated: the first signs, all verify. */
  readonly KEY_SIGNING_SECRET?: string;
  /** Keys the hash under which anonymous callers are counted. */
  readonly CALLER_HASH_SECRET?: string;
}

/** What middleware leaves for the handlers of the same request. */
interface Variables {
  requestId: string;
}

/** Hono's type parameter for every router of this app. */
export interface Env {
  Bindings: Bindings;
  Variables: Variables;
}
