/**
 * The longest file name, in bytes, on ext4, APFS, XFS and ZFS. NTFS allows as many UTF-16 units; a name never
 * has more of these than bytes.
 */
export const MAX_NAME_BYTES = 255;

/**
 * Characters that Windows forbids in names (Microsoft, Naming Files, Paths, and Namespaces), and misleading
 * ones.
 */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
/** Names of devices, whatever their extension (the same source). */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?= *(?:\.|$))/i;

/**
 * Turns a name into one that every file system accepts as it is, and that reads as it is written. Changes
 * nothing without need.
 * @param name of a file without its extension, or of a folder
 * @param reserved bytes to leave free for what is appended
 */
export function safeName(name: string, reserved = 0): string {
  const safe = name
    .replace(UNSAFE, '_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(DEVICE, '_$&');
  return cutToBytes(safe, MAX_NAME_BYTES - reserved) || '_';
}

/**
 * The longest beginning of a text that takes at most this many bytes in UTF-8; keeps grapheme clusters whole.
 */
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
