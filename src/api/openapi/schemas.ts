import { z } from 'zod';
import {
  detectedFaceSchema,
  detectResultSchema,
  errorBodySchema,
  healthSchema,
  inspectResultSchema,
  issuedKeySchema,
  issueSchema,
  keyRecordSchema,
  keyRequestSchema,
  pricingSchema,
  purgeReportSchema,
  sanitizeEnvelopeSchema,
  usageRecordSchema,
} from '../../ops/responses.ts';
import {
  cropSchema,
  detectOpsSchema,
  inspectOpsSchema,
  regionSchema,
  sanitizeOpsSchema,
} from '../../ops/schema.ts';
import { jsonRpcErrorSchema, jsonRpcMessageSchema, jsonRpcResultSchema } from '../mcp/messages.ts';

/** JSON Schema as documents hold it. */
export type JsonSchema = { [member: string]: unknown };

const requestSchemas = {
  SanitizeOps: sanitizeOpsSchema,
  Crop: cropSchema,
  Region: regionSchema,
  DetectOps: detectOpsSchema,
  InspectOps: inspectOpsSchema,
  KeyRequest: keyRequestSchema,
  JsonRpcMessage: jsonRpcMessageSchema,
};

const responseSchemas = {
  Error: errorBodySchema,
  Issue: issueSchema,
  SanitizeEnvelope: sanitizeEnvelopeSchema,
  PurgeReport: purgeReportSchema,
  DetectResult: detectResultSchema,
  DetectedFace: detectedFaceSchema,
  InspectResult: inspectResultSchema,
  UsageRecord: usageRecordSchema,
  Health: healthSchema,
  Pricing: pricingSchema,
  IssuedKey: issuedKeySchema,
  KeyRecord: keyRecordSchema,
  JsonRpcResult: jsonRpcResultSchema,
  JsonRpcError: jsonRpcErrorSchema,
};

export type SchemaName = keyof typeof requestSchemas | keyof typeof responseSchemas;

const addressOf = (name: string) => `#/components/schemas/${name}`;

/** A reference to one of `componentSchemas`. */
export const schemaRef = (name: SchemaName) => ({ $ref: addressOf(name) });

/** Every schema of src/ops as `components.schemas`, each once, referring to each other by name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...converted(requestSchemas, 'input'), ...converted(responseSchemas, 'output') };
}

function converted(schemas: Record<string, z.ZodType>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const result = z.toJSONSchema(registry, {
    io,
    uri: addressOf,
    override: ({ jsonSchema }) => plain(jsonSchema),
  }).schemas;
  for (const schema of Object.values(result)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return result;
}

/**
 * Says open objects the plain way, and leaves out what zod adds and readers don't need: the bounds of safe
 * integers, the grammars of its named formats.
 */
export function plain(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (isEmpty(schema.additionalProperties)) schema.additionalProperties = true;
  if (typeof schema.format === 'string') delete schema.pattern;
  // The keyword for this is contentEncoding; "base64" is no registered format.
  if (schema.format === 'base64') delete schema.format;
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
