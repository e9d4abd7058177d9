/**
 * Whether a file is a photo in the format of iPhones, which few browsers read (ISO/IEC 23008-12, HEVC-coded).
 */
export const isHeic = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name);
