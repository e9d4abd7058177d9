import type { Context } from 'hono';
import { model, tileModel } from '../../faces/model.ts';
import type { Health } from '../../ops/health.ts';
import type { Env } from '../env.ts';
import { SERVICE_VERSION } from '../version.ts';

const FACE_MODELS = [model, tileModel].map(({ name, sha256 }) => ({ name, sha256 }));

/** GET /v1/health: liveness, and which networks this deployment runs. */
export function healthRoute(c: Context<Env>): Response {
  const health: Health = {
    status: 'ok',
    version: SERVICE_VERSION,
    model: FACE_MODELS[0]!,
    models: FACE_MODELS,
    engine: c.env.DETECTORS?.faces ? 'onnxruntime-web' : 'core',
    detectors: (c.env.DETECTORS?.detectors ?? []).map(({ name, sha256, kinds, passMs }) => ({
      name,
      sha256,
      kinds: [...kinds],
      passMs,
    })),
  };
  return c.json(health);
}
