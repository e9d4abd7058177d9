/** Stands for the origin while a text is made; nobody can own this name (RFC 6761 section 6.4). */
const PLACE = 'https://origin.invalid';

/**
 * Texts that contain the deployment's origin, made once per deployment: building the description of the
 * service takes milliseconds, and clients may ask for it as often as they like, each time under another local
 * `Host`.
 */
export class TextsByOrigin<Of = undefined> {
  readonly #make: (origin: string, of: Of) => string;
  #made: { readonly of: Of; relative?: string; parts?: readonly string[] } | undefined;

  /** @param make makes the text for an origin; '' means addresses relative to the service */
  constructor(make: (origin: string, of: Of) => string) {
    this.#make = make;
  }

  /** @param of whatever else the text depends on; pass the same object as long as that is unchanged */
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
