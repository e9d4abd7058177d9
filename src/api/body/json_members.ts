import type { ApiError } from '../errors.ts';
import { badRequest, quoted, remoteImage } from './body_errors.ts';

/** A name longer than this is cut: it is none of ours. */
const MAX_NAME_BYTES = 256;

const utf8 = new TextDecoder();

/** The member names of a body's top level: `image` and `ops`, each once, and nothing else. */
export class JsonMembers {
  readonly #names: string[] = [];
  #bytes: number[] = [];

  /** The member being read. */
  get latest(): string | undefined {
    return this.#names.at(-1);
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** Takes bytes of a name as they stand between its quotes. */
  keep(...bytes: number[]): void {
    if (this.#bytes.length < MAX_NAME_BYTES) this.#bytes.push(...bytes);
  }

  /** Ends a name. @throws ApiError bad_request when it came before, or is `image_url` */
  add(): void {
    const raw = utf8.decode(new Uint8Array(this.#bytes));
    this.#bytes = [];
    let name = raw;
    try {
      name = JSON.parse(`"${raw}"`);
    } catch {
      // Cut within an escape: kept as it stands, and refused as unknown.
    }
    if (name === 'image_url') throw remoteImage('The body holds "image_url".');
    if (this.has(name)) throw badRequest(`The body holds ${quoted([name])} twice.`);
    this.#names.push(name);
  }

  /** The error that names all unknown members, if there are any. */
  unknown(): ApiError | undefined {
    const unknown = this.#names.filter((name) => name !== 'image' && name !== 'ops');
    return unknown.length === 0
      ? undefined
      : badRequest(`The body holds ${quoted(unknown)}: a JSON body has only the members "image" and "ops".`);
  }
}
