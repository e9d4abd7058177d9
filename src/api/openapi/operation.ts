import { type Answer, type ErrorStatus, errorRefs, errorsEverywhere } from './answers.ts';

/** The groups that the reference shows operations in. */
export const tags = [
  { name: 'Images', description: 'What the service is for. Metered: a call counts when it is served.' },
  { name: 'Account', description: 'Usage of a key, and what calls cost. Never metered.' },
  { name: 'Keys', description: 'For the operator of a deployment, with the admin token.' },
  { name: 'Machines', description: 'Descriptions for programs and language models, and the MCP server.' },
  { name: 'Pages', description: 'For people, and for crawlers.' },
  { name: 'Service', description: 'Whether it is up.' },
] as const;

type Tag = (typeof tags)[number]['name'];

/** Who may call: `optional` a key or none, `key` a key, `admin` the admin token, `none` nobody is asked. */
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
  /** Successful answers by status. */
  readonly answers: Readonly<Record<string, Answer>>;
  /** Errors beyond those that every operation has. */
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
  const { id, tag, summary, description, auth, parameters, body, answers, errors = [] } = parts;
  const statuses = [...errors, ...errorsEverywhere].sort((a, b) => a - b);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: security[auth],
    ...(parameters && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...answers, ...errorRefs(...statuses) },
  };
}
