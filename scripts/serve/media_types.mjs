import { extname } from 'node:path';

/** By file extension: all types of which the pages consist. */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.gz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * The media type of a file of the pages.
 * @param {string} path
 * @returns {string}
 * @throws {Error} for an unknown extension: with `nosniff`, browsers accept `application/octet-stream`
 * neither as a picture nor as a manifest
 */
export function mediaTypeOf(path) {
  const type = TYPES[extname(path)];
  if (!type) throw new Error(`${path}: no media type is known for files of its kind`);
  return type;
}
