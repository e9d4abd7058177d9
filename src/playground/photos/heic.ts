/** Whether a file is a photo as iPhones take them: few browsers read those (ISO/IEC 23008-12, HEVC coded). */
export const isHeic = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name);
