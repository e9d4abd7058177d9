import { quoted } from '../../json/quoted.ts';
import type { ApiError } from '../answers/errors.ts';
import { badRequest, remoteImage } from './body_errors.ts';
import { MAX_UNKNOWN_MEMBERS } from './limits.ts';

const KNOWN = ['image', 'ops'];

/** The member names at the top level of an upload: `image` and `ops`, each once, and nothing else. */
export class JsonMembers {
  readonly #known = new Set<string>();
  readonly #unknown: string[] = [];

  has(name: string): boolean {
    return this.#known.has(name) || this.#unknown.includes(name);
  }

  /**
   * @throws ApiError bad_request for a duplicate, for `image_url`, and when there are too many unknown ones
   */
  add(name: string): void {
    if (name === 'image_url') throw remoteImage('The body holds "image_url".');
    if (this.has(name)) throw badRequest(`The body holds ${quoted([name])} twice.`);
    if (KNOWN.includes(name)) this.#known.add(name);
    else this.#unknown.push(name);
    if (this.#unknown.length === MAX_UNKNOWN_MEMBERS) throw this.unknownMembersError();
  }

  /** The error that lists all unknown members, if there are any. */
  unknownMembersError(): ApiError | undefined {
    return this.#unknown.length === 0
      ? undefined
      : badRequest(
          `The body holds ${quoted(this.#unknown)}: a JSON body has only the members "image" and "ops".`,
        );
  }
}
