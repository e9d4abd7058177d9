import * as z from 'zod';

/** Answers of the probes of a deployment. */

export const readinessSchema = z
  .strictObject({ status: z.literal('ready') })
  .describe('A call would be served now.');

const modelSchema = z.strictObject({
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const healthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  model: modelSchema.describe('The face network that sees the whole picture: the first of `models`.'),
  models: z.array(modelSchema).describe('All networks of the face detector.'),
  engine: z.enum(['core', 'onnxruntime-web']).describe('What runs these networks.'),
  detectors: z
    .array(
      modelSchema.extend({
        kinds: z.array(z.string()).describe('What it finds.'),
        passMs: z
          .number()
          .describe('CPU of one pass in milliseconds, where it was built: it gives way to no other call.'),
      }),
    )
    .describe('Further detectors, which ops name.'),
});

export type Health = z.output<typeof healthSchema>;
export type Readiness = z.output<typeof readinessSchema>;
