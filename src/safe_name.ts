/** Most bytes of a file's name: of ext4, APFS, XFS, ZFS; NTFS has as many UTF-16 units, which are no more. */
export const MAX_NAME_BYTES = 255;

/** What names on Windows can't hold (Microsoft, Naming Files, Paths, and Namespaces), and what misleads. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Devices, whatever their extension (the same source). */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?= *(?:\.|$))/i;

/**
 * A name out of another that every file system takes as it stands, and that reads as it is written. Without
 * need, nothing is changed.
 * @param name of a file without its extension, or of a folder
 * @param reserved bytes that are put to it
 */
export function safeName(name: string, reserved = 0): string {
  const safe = name
    .replace(UNSAFE, '_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(DEVICE, '_$&');
  return cutToBytes(safe, MAX_NAME_BYTES - reserved) || '_';
}

/** The beginning of a text that takes at most so many bytes in UTF-8, in whole characters. */
export function cutToBytes(text: string, most: number): string {
  if (bytesOf(text) <= most) return text;
  let cut = '';
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += bytesOf(segment);
    if (length > most) break;
    cut += segment;
  }
  return cut;
}

/** Length in UTF-8. */
const bytesOf = (text: string) => new TextEncoder().encode(text).length;
