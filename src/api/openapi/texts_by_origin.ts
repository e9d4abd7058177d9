/** Stands for the origin while a text is made; of a name that nobody can have (RFC 6761 section 6.4). */
const PLACE = 'https://origin.invalid';

/**
 * Texts that name the deployment's origin, made once for each deployment: making the description of the
 * service takes milliseconds, and clients may ask for it as often as they like, each time under another local
 * `Host`.
 */
export class TextsByOrigin<Of = undefined> {
  readonly #make: (origin: string, of: Of) => string;
  #made: { readonly of: Of; relative?: string; parts?: readonly string[] } | undefined;

  /** @param make makes the text; '' is for addresses relative to the service */
  constructor(make: (origin: string, of: Of) => string) {
    this.#make = make;
  }

  /** @param of what else the text depends on: the same object as long as that is the same */
  text(origin: string, of: Of): string {
    if (this.#made?.of !== of) this.#made = undefined;
    this.#made ??= { of };
    const made = this.#made;
    if (origin === '') {
      made.relative ??= this.#make('', of);
      return made.relative;
    }
    made.parts ??= this.#make(PLACE, of).split(PLACE);
    return made.parts.join(origin);
  }
}
