/**
 * What can go wrong in the core, which does not know HTTP: one table in `api/answers/errors.ts` maps these to
 * statuses. Messages are for the person who sent the image: what was expected, what came.
 */
export type FaultKind =
  | 'decoding'
  | 'limit'
  | 'unsupported'
  | 'parameter'
  | 'stalled'
  | 'overloaded'
  | 'unclean';

export class Fault extends Error {
  readonly kind: FaultKind;
  override readonly name = 'Fault';
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The bytes are not what their container promises: truncated, corrupt, contradictory. */
export const decodingFault = (message: string) => new Fault('decoding', message);

/** The image is sound but larger than a limit: pixels, memory, work. */
export const limitFault = (message: string) => new Fault('limit', message);

/** A core or a codec did not get the memory that it asked for. Whoever knows the image adds its name. */
export class OutOfMemoryFault extends Fault {
  constructor(message: string) {
    super('limit', message);
  }
}

/** An image as messages name it: "4032 × 3024 JPEG (12.2 megapixels)". */
export const imageName = (image: {
  readonly format: string;
  readonly width: number;
  readonly height: number;
}): string => {
  const { format, width, height } = image;
  return `${width} × ${height} ${format.toUpperCase()} (${((width * height) / 1e6).toFixed(1)} megapixels)`;
};

/** The output needs more memory than there is. If other jobs hold it, the same request may succeed later. */
export class OutputLimitFault extends Fault {
  constructor(message: string) {
    super('limit', message);
  }
}

/** The bytes are a known format, or a variant of one, that is not read here. */
export const unsupportedFault = (message: string) => new Fault('unsupported', message);

/** Sending the image or reading the answer took longer than allowed, whether others wait or not. */
export const stalledFault = (message: string) => new Fault('stalled', message);

/**
 * An operation makes no sense for this image, e.g. a crop wholly outside it. `path` names the field in ops.
 */
export class ParameterFault extends Fault {
  readonly path: string;

  constructor(path: string, message: string) {
    super('parameter', message);
    this.path = path;
  }
}

/** All places are taken right now; the same request may succeed in `retryAfterSeconds`. */
export class OverloadedFault extends Fault {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super('overloaded', message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Sending the image or reading the answer is too slow, and others wait for the memory that it holds. */
export class SlowTransferFault extends OverloadedFault {}
