import { inputFormats } from './vocabulary.ts';

/** What people call a format: "WebP", "PNG". */
export const formatName = (format: string): string => (format === 'webp' ? 'WebP' : format.toUpperCase());

/** The input formats as a sentence lists them. @param last the word before the last one: "or" */
export const inputFormatNames = (last: string): string => {
  const names = inputFormats.map(formatName);
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
};
