import type { DeployedDetectors } from '../detectors/deployed.ts';
import type { CallMeter } from '../metering/call_meter.ts';

/** Bindings of the deployment. Secrets are optional: without them anonymous callers are still served. */
export interface Bindings {
  readonly CALL_METER: DurableObjectNamespace<CallMeter>;
  /**
   * The counting process of a self-hosted server, asked in place of objects (scripts/serve/config.mjs).
   */
  readonly COUNTERS?: { call(name: string, method: string, args: readonly unknown[]): Promise<unknown> };
  /** The files of the pages, built by npm's prepare step. */
  readonly ASSETS: Fetcher;
  /** Megabytes that one isolate may hold for all its jobs together. */
  readonly MEMORY_BUDGET_MB?: string;
  /** Origin under which clients reach the service, e.g. `https://sanitizer.example`. */
  readonly PUBLIC_ORIGIN?: string;
  /** Name of the header in which the operator's proxy reports the client's address; `none` trusts none. */
  readonly TRUSTED_PROXY_HEADER?: string;
  /** Where calls are counted on Cloudflare, if it is bound (src/api/middleware/count_requests.ts). */
  readonly ANALYTICS?: AnalyticsEngineDataset;
  /**
   * `onnxruntime-web`: the engine that looks for faces, if the bundle contains it; otherwise the core does.
   */
  readonly FACE_ENGINE?: string;
  /** Set by the entry point that can run them (src/onnx.ts). */
  readonly DETECTORS?: DeployedDetectors;
  readonly ADMIN_TOKEN?: string;
  /** HMAC-SHA-256 secrets of API keys, comma-separated: the first signs, all verify. */
  readonly KEY_SIGNING_SECRET?: string;
  /** Key of the HMAC under which anonymous callers are counted. */
  readonly CALLER_HASH_SECRET?: string;
}

/** What middleware sets for the handlers of the same request. */
interface Variables {
  requestId: string;
}

/** Hono's type parameter for every router of this app. */
export interface Env {
  Bindings: Bindings;
  Variables: Variables;
}
