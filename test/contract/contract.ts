import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The members of an OpenAPI document that are read here. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly headers: Record<string, HeaderObject>;
    readonly responses: Record<string, ResponseObject>;
  };
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
  readonly $ref?: string;
}

interface ResponseObject {
  readonly $ref?: string;
  readonly headers?: Record<string, HeaderObject>;
  readonly content?: Record<string, { readonly schema?: object }>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Headers that HTTP and the runtime may add to any response, described or not. */
const UNDESCRIBED = new RegExp(
  `^(?:${[
    'content-type|content-length|content-encoding|date|vary|etag|transfer-encoding|connection|keep-alive|server',
    'cf-.*',
    'access-control-.*',
  ].join('|')})$`,
);

const DOCUMENT = 'openapi';

/** A response that has only the common headers and no body: what a preflight is compared with. */
const PREFLIGHT = '/paths/~1v1~1keys~1{key_id}/delete/responses/204';

const ALLOW: HeaderObject = { $ref: '#/components/headers/Allow', schema: {} };

/** Checks responses against a description: status, headers and body (JSON Schema 2020-12, by Ajv). */
export class Contract {
  readonly #document: Described;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Described) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /**
   * What the description does not allow about a response, one sentence each.
   * @param path as requested, with or without a query
   * @param response its body is read
   */
  async faults(method: string, path: string, response: Response): Promise<string[]> {
    const pathname = path.split('?')[0]!;
    const { status } = response;
    const what = `${method} ${pathname} → ${status}`;
    const pointer = this.#describedAt(method, pathname, status);
    if (pointer === undefined) return [`${what} is not described in src/api/openapi/paths`];
    const described = this.#at<ResponseObject>(pointer);
    const withoutBody = method === 'HEAD' || method === 'OPTIONS' || response.status === 304;
    const faults = [
      ...this.#headerFaults(
        { ...described.headers, ...(method === 'OPTIONS' && status === 204 && { Allow: ALLOW }) },
        response.headers,
      ),
      ...(withoutBody ? [] : await this.#bodyFaults(pointer, described, response)),
    ];
    return faults.map((fault) => `${what}: ${fault}`);
  }

  /** JSON pointer to the response object, references resolved. */
  #describedAt(method: string, pathname: string, status: number): string | undefined {
    const path = Object.keys(this.#document.paths).find((template) => matches(template, pathname));
    if (path === undefined) return status === 404 ? '/components/responses/NotFound' : undefined;
    const item = this.#document.paths[path]!;
    // A preflight has the common headers, and otherwise those of the Fetch standard.
    if (method === 'OPTIONS') return status === 204 ? PREFLIGHT : undefined;
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = asked in item ? asked : METHODS.find((name) => name in item)!;
    if (!(asked in item) && status !== 405) return undefined;
    const pointer = `/paths/${escaped(path)}/${operation}/responses/${status}`;
    const found = this.#find<ResponseObject>(pointer);
    return found?.$ref?.slice(1) ?? (found && pointer);
  }

  #headerFaults(described: Record<string, HeaderObject>, headers: Headers): string[] {
    const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
    const undescribed = [...headers.keys()].filter((name) => !names.has(name) && !UNDESCRIBED.test(name));
    const faults = undescribed.map((name) => `the header ${name} is not described`);
    for (const [name, reference] of Object.entries(described)) {
      const header = reference.$ref ? this.#at<HeaderObject>(reference.$ref.slice(1)) : reference;
      const value = headers.get(name);
      if (value === null) {
        if (header.required) faults.push(`the header ${name} is missing`);
      } else {
        const isNumber = header.schema.type === 'integer' || header.schema.type === 'number';
        const read = isNumber && value.trim() !== '' ? Number(value) : value;
        const validate = this.#validator(JSON.stringify(header.schema), header.schema);
        if (!validate(read))
          faults.push(`the header ${name} is ${value}: ${this.#ajv.errorsText(validate.errors)}`);
      }
    }
    return faults;
  }

  async #bodyFaults(pointer: string, { content }: ResponseObject, response: Response): Promise<string[]> {
    const type = (response.headers.get('Content-Type') ?? '').split(';')[0]!.trim();
    if (!content)
      return (await response.arrayBuffer()).byteLength > 0 ? ['there is a body, and none is described'] : [];
    const media = content[type];
    if (!media) return [`the media type ${type || 'none'} is not described`];
    if (!/^application\/(?:problem\+)?json$/.test(type)) {
      return (await response.arrayBuffer()).byteLength === 0 ? ['the body is empty'] : [];
    }
    const schema = `${pointer}/content/${escaped(type)}/schema`;
    const validate = this.#validator(schema, { $ref: `${DOCUMENT}#${encodeURI(schema)}` });
    const text = await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return [`the body is not JSON: ${text.slice(0, 100)}`];
    }
    if (validate(body)) return [];
    return [`the body does not fit: ${this.#ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`];
  }

  #validator(name: string, schema: object): ValidateFunction {
    const known = this.#compiled.get(name) ?? this.#ajv.compile(schema);
    this.#compiled.set(name, known);
    return known;
  }

  #at<T>(pointer: string): T {
    const found = this.#find<T>(pointer);
    if (found === undefined) throw new Error(`The description has nothing at ${pointer}`);
    return found;
  }

  #find<T>(pointer: string): T | undefined {
    let value: unknown = this.#document;
    for (const part of pointer.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      value = (value as Record<string, unknown> | undefined)?.[name];
    }
    return value as T | undefined;
  }
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether a path matches a template such as `/v1/keys/{key_id}`. */
function matches(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length &&
    parts.every((part, i) => part === given[i] || (part.startsWith('{') && given[i] !== ''))
  );
}
