/** W3C Trace Context, section 3.2: version, trace, parent and flags in lower-case hexadecimal digits. */
const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The `traceparent` of a request in the form to pass on; undefined if it is invalid, which counts as absent.
 * For later versions of the standard only the fields of version 00 are passed on, under that number.
 */
export function validTraceparent(value: string | undefined): string | undefined {
  const [, version, trace, parent, flags, more] = TRACEPARENT.exec(value ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return `00-${trace}-${parent}-${flags}`;
}

/** The trace id: 32 hexadecimal digits. @param traceparent from `validTraceparent` */
export const traceIdOf = (traceparent: string) => traceparent.slice(3, 35);
