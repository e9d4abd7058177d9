import * as z from 'zod';
import {
  issuedKeySchema,
  keyChangeSchema,
  keyListSchema,
  keyRecordSchema,
  keyRequestSchema,
  keyRotationSchema,
  pricingSchema,
  rotatedKeySchema,
  usageRecordSchema,
} from '../../ops/account.ts';
import { healthSchema, readinessSchema } from '../../ops/health.ts';
import {
  detectedFaceSchema,
  detectResultSchema,
  errorBodySchema,
  inspectResultSchema,
  issueSchema,
  problemSchema,
  purgeReportSchema,
  sanitizeEnvelopeSchema,
} from '../../ops/responses.ts';
import {
  cropSchema,
  detectOpsSchema,
  inspectOpsSchema,
  regionSchema,
  sanitizeOpsSchema,
} from '../../ops/schema.ts';
import { MAX_JSON_BYTES } from '../body/limits.ts';
import { type JsonSchema, simplifySchema } from '../json_schema.ts';
import { jsonRpcErrorSchema, jsonRpcMessageSchema, jsonRpcResultSchema } from './json_rpc.ts';

const requestSchemas = {
  SanitizeOps: sanitizeOpsSchema,
  Crop: cropSchema,
  Region: regionSchema,
  DetectOps: detectOpsSchema,
  InspectOps: inspectOpsSchema,
  KeyRequest: keyRequestSchema,
  KeyChange: keyChangeSchema,
  KeyRotation: keyRotationSchema,
  JsonRpcMessage: jsonRpcMessageSchema,
};

const responseSchemas = {
  Error: errorBodySchema,
  Problem: problemSchema,
  Issue: issueSchema,
  SanitizeEnvelope: sanitizeEnvelopeSchema,
  PurgeReport: purgeReportSchema,
  DetectResult: detectResultSchema,
  DetectedFace: detectedFaceSchema,
  InspectResult: inspectResultSchema,
  UsageRecord: usageRecordSchema,
  Health: healthSchema,
  Readiness: readinessSchema,
  Pricing: pricingSchema,
  IssuedKey: issuedKeySchema,
  RotatedKey: rotatedKeySchema,
  KeyRecord: keyRecordSchema,
  KeyList: keyListSchema,
  JsonRpcResult: jsonRpcResultSchema,
  JsonRpcError: jsonRpcErrorSchema,
};

const pointerTo = (name: string) => `#/components/schemas/${name}`;

/** `image` of a JSON body; its white space and escapes count towards the length. */
const base64Image = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_JSON_BYTES,
  contentEncoding: 'base64',
  description:
    'The image as base64: standard or URL alphabet, padding optional, white space ignored, `data:` URLs accepted. ' +
    'At most 25 MB once decoded.',
};

/** A JSON body. It has no component name, so each client generator names it as it likes. */
const imageRequest = (ops: keyof typeof requestSchemas) => ({
  type: 'object',
  properties: { image: base64Image, ops: { $ref: pointerTo(ops) } },
  required: ['image'],
  additionalProperties: false,
});

const imageRequests = {
  SanitizeRequest: imageRequest('SanitizeOps'),
  DetectRequest: imageRequest('DetectOps'),
  InspectRequest: imageRequest('InspectOps'),
};

export type SchemaName =
  | keyof typeof requestSchemas
  | keyof typeof responseSchemas
  | keyof typeof imageRequests;

/** A reference to one of `componentSchemas`. */
export const schemaRef = (name: SchemaName) => ({ $ref: pointerTo(name) });

/** All schemas as `components.schemas`, each once; they refer to each other by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return {
    ...toJsonSchemas(requestSchemas, 'input'),
    ...imageRequests,
    ...toJsonSchemas(responseSchemas, 'output'),
  };
}

function toJsonSchemas(
  schemas: Record<string, z.core.$ZodType>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const result = z.toJSONSchema(registry, {
    io,
    uri: pointerTo,
    override: ({ jsonSchema }) => simplifySchema(jsonSchema),
  }).schemas as Record<string, JsonSchema>;
  for (const schema of Object.values(result)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return result;
}
