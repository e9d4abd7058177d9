import { scanInParts } from '../metadata/scan.ts';
import { inspectWith } from './inspect_with.ts';

/** `inspect` with the scanners of all formats loaded. */
export const inspect = inspectWith(scanInParts);
