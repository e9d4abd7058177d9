import type { JsonSchema } from '../json_schema.ts';
import type { NamedDetector } from '../tools.ts';
import { SERVICE_VERSION } from '../version.ts';
import { codeSamples } from './code_samples.ts';
import { description } from './description.ts';
import { componentHeaders } from './headers.ts';
import { withNamedDetectors } from './named_detectors.ts';
import { type Operation, tags } from './operation.ts';
import { accountPaths, keyPaths } from './paths/account.ts';
import { imagePaths } from './paths/images.ts';
import { machinePaths } from './paths/machines.ts';
import { pagePaths } from './paths/pages.ts';
import { servicePaths } from './paths/service.ts';
import { errorResponses } from './response_objects.ts';
import { componentSchemas } from './schemas.ts';

/** The members of an OpenAPI 3.1 document that code in this repository reads. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, unknown>>;
    readonly [kind: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/**
 * The description of the whole service, OpenAPI 3.1. Schemas and limits come from src/ops, prices from the
 * plan table, errors from the error table.
 * @param detectors of the deployment besides that of faces
 * @param origin of this deployment, e.g. `https://sanitizer.example`; '' for addresses relative to it
 */
export function openApiDocument(origin: string, detectors: readonly NamedDetector[] = []): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Image sanitizer',
      version: SERVICE_VERSION,
      summary: 'Removes metadata from photos and pixelates faces.',
      description: description(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'API reference', url: `${origin}/docs` },
    },
    servers: [{ url: origin || '/', description: 'This deployment' }],
    tags,
    paths: withCodeSamples(
      { ...imagePaths, ...accountPaths, ...servicePaths, ...keyPaths, ...machinePaths, ...pagePaths },
      origin,
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `isk_…`. Optional for images: without one, calls are on the free tier.',
        },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token of the deployment.',
        },
      },
      schemas: withNamedDetectors(componentSchemas(), detectors),
      headers: componentHeaders,
      responses: errorResponses(origin),
    },
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The paths, with code samples for those operations that have them. */
function withCodeSamples(paths: Paths, origin: string): Paths {
  const withSamples = (member: unknown) => {
    const samples = codeSamples((member as Partial<Operation>).operationId ?? '', origin);
    return samples.length > 0 ? { ...(member as Operation), 'x-codeSamples': samples } : member;
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([name, member]) => [name, withSamples(member)])),
    ]),
  );
}
