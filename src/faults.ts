/**
 * What can go wrong in the core, with no word of HTTP: `api/answers/errors.ts` holds the one table that maps
 * these to statuses. Messages are written for the person who sent the image: what was expected, what came.
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

/** What a core or a codec asked for and did not get: whoever knows the image names it. */
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

/**
 * There is less memory than the output takes; where others hold it just now, the same request may succeed
 * later.
 */
export class OutputLimitFault extends Fault {
  constructor(message: string) {
    super('limit', message);
  }
}

/** The bytes are a known format, or a variant of one, that is not read here. */
export const unsupportedFault = (message: string) => new Fault('unsupported', message);

/** Sending the image, or reading the answer, takes longer than it may, whoever else waits. */
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

/** Sending the image, or reading the answer, is too slow while others wait for the memory that it holds. */
export class SlowTransferFault extends OverloadedFault {}
