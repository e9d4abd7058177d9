import type { ApiError } from '../errors.ts';
import { badRequest, quoted, remoteImage } from './body_errors.ts';

/** Longer names are cut: no known member has one. */
const MAX_NAME_BYTES = 256;

const utf8 = new TextDecoder();

/** The member names at the top level of a body: `image` and `ops`, each once, and nothing else. */
export class JsonMembers {
  readonly #names: string[] = [];
  #nameBytes: number[] = [];

  /** The member being read. */
  get latest(): string | undefined {
    return this.#names.at(-1);
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** Takes bytes of a name as they are between its quotes, escapes unresolved. */
  appendName(...bytes: number[]): void {
    if (this.#nameBytes.length < MAX_NAME_BYTES) this.#nameBytes.push(...bytes);
  }

  /** Ends a name. @throws ApiError bad_request for a duplicate, or for `image_url` */
  endName(): void {
    const raw = utf8.decode(new Uint8Array(this.#nameBytes));
    this.#nameBytes = [];
    let name = raw;
    try {
      name = JSON.parse(`"${raw}"`);
    } catch {
      // Cut within an escape: kept as it is, and refused as unknown.
    }
    if (name === 'image_url') throw remoteImage('The body holds "image_url".');
    if (this.has(name)) throw badRequest(`The body holds ${quoted([name])} twice.`);
    this.#names.push(name);
  }

  /** The error that lists all unknown members, if there are any. */
  unknownMembersError(): ApiError | undefined {
    const unknown = this.#names.filter((name) => name !== 'image' && name !== 'ops');
    return unknown.length === 0
      ? undefined
      : badRequest(`The body holds ${quoted(unknown)}: a JSON body has only the members "image" and "ops".`);
  }
}
