/** W3C Trace Context, section 3.2: version, trace, parent and flags in lower-case hexadecimal digits. */
const TRACEPARENT = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The `traceparent` of a request, as it is passed on; undefined where it is not valid, and then as if none
 * had come. Of a later version of the standard only what version 00 has is passed on, under that number.
 */
export function validTraceparent(value: string | undefined): string | undefined {
  const [, version, trace, parent, flags, more] = TRACEPARENT.exec(value ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return `00-${trace}-${parent}-${flags}`;
}

/** The id of the trace: 32 hexadecimal digits. @param traceparent as `validTraceparent` gives it */
export const traceIdOf = (traceparent: string) => traceparent.slice(3, 35);
