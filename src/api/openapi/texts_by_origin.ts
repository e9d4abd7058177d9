/** Stands for the origin while a text is made; nobody can own this name (RFC 6761 section 6.4). */
const PLACE = 'https://origin.invalid';

/**
 * Texts that contain the deployment's origin, made once per deployment: building the description of the
 * service takes milliseconds, and clients may ask for it as often as they like, each time under another local
 * `Host`.
 */
export class TextsByOrigin<Input = undefined> {
  readonly #make: (origin: string, input: Input) => string;
  #made: { readonly input: Input; relative?: string; parts?: readonly string[] } | undefined;

  /** @param make makes the text for an origin; '' means addresses relative to the service */
  constructor(make: (origin: string, input: Input) => string) {
    this.#make = make;
  }

  /** @param input whatever else the text depends on; pass the same object as long as that is unchanged */
  text(origin: string, input: Input): string {
    if (this.#made?.input !== input) this.#made = undefined;
    this.#made ??= { input };
    const made = this.#made;
    if (origin === '') {
      made.relative ??= this.#make('', input);
      return made.relative;
    }
    made.parts ??= this.#make(PLACE, input).split(PLACE);
    return made.parts.join(origin);
  }
}
