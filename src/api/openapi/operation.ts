import type { ErrorStatus } from '../answers/errors.ts';
import type { JsonSchema } from '../json_schema.ts';
import { commonErrors, errorRefs, type ResponseObject } from './response_objects.ts';

/** The groups in which the reference shows operations. */
export const tags = [
  { name: 'Images', description: 'What the service is for. Metered: a call counts when it is served.' },
  { name: 'Account', description: 'Usage of a key, and what calls cost. Never metered.' },
  { name: 'Keys', description: 'For the operator of a deployment, with the admin token.' },
  { name: 'Machines', description: 'Descriptions for programs and language models, and the MCP server.' },
  { name: 'Pages', description: 'For people, and for crawlers.' },
  { name: 'Service', description: 'Whether it is up, and how it does.' },
] as const;

type Tag = (typeof tags)[number]['name'];

/** Which credentials an operation takes: none, an optional key, a key, or the admin token. */
type Auth = 'none' | 'optional' | 'key' | 'admin';

const security = {
  none: [],
  optional: [{}, { apiKey: [] }],
  key: [{ apiKey: [] }],
  admin: [{ adminToken: [] }],
} as const;

interface OperationParts {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  readonly parameters?: readonly unknown[];
  readonly body?: unknown;
  /** Responses by status, without the errors. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** Error statuses in addition to those of every operation. */
  readonly errors?: readonly ErrorStatus[];
}

/** An operation object of OpenAPI 3.1. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export function operation(parts: OperationParts): Operation {
  const { id, tag, summary, description, auth, parameters, body, responses, errors = [] } = parts;
  const statuses = [...errors, ...commonErrors].sort((a, b) => a - b);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: security[auth],
    ...(parameters && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...responses, ...errorRefs(...statuses) },
  };
}

/** An optional query parameter. */
export const queryParameter = (name: string, description: string, schema: JsonSchema, example?: unknown) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  ...(example !== undefined && { example }),
});
