import { formatOfName } from '../../metadata/extensions.ts';
import { isHeic } from './heic.ts';

/**
 * Whether a file among several is an image: folders contain other files, and some systems do not report all
 * types.
 */
export const isImage = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  !name.startsWith('.') &&
  (type.startsWith('image/') || formatOfName(name) !== undefined || isHeic({ name, type })) &&
  type !== 'image/svg+xml';
