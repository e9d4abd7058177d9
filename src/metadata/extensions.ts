import type { InputFormat } from './facts.ts';

/**
 * File name extensions of each input format, in lower case without the dot, the usual one first. Sources: the
 * IANA media types; the others of JPEG as browsers and file(1) know them; `mpo` is CIPA DC-007.
 */
export const fileExtensions: Readonly<Record<InputFormat, readonly string[]>> = {
  jpeg: ['jpg', 'jpeg', 'jpe', 'jfif', 'jfi', 'jif', 'pjpeg', 'pjp', 'mpo'],
  png: ['png', 'apng'],
  webp: ['webp'],
  avif: ['avif', 'avifs'],
  tiff: ['tif', 'tiff'],
  gif: ['gif'],
};

const formats = new Map(
  Object.entries(fileExtensions).flatMap(([format, names]) =>
    names.map((name) => [name, format as InputFormat] as const),
  ),
);

/** The format that a file name suggests; undefined if it is none of the input formats. */
export const formatOfName = (name: string): InputFormat | undefined => formats.get(extensionOf(name));

/** The extension of a name, in lower case without the dot; empty if it has none. */
export const extensionOf = (name: string): string =>
  /[^/\\]\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
