import type { SanitizedImage } from '../options.ts';
import { cleanUpload, type UploadOptions } from './clean_upload.ts';

/** The members of an Express request that are used. */
interface NodeRequest {
  readonly socket: {
    once(event: 'close', listener: () => void): unknown;
    off(event: 'close', listener: () => void): unknown;
  };
}

/** What multer passes to a storage engine. */
interface IncomingFile {
  readonly stream: AsyncIterable<Uint8Array>;
}

/** What a file in `req.files` contains in addition to multer's own members. */
export interface CleanFile {
  readonly buffer: Uint8Array;
  readonly size: number;
  readonly mimetype: string;
  /**
   * Extension for a file name, without the dot; `originalname` is still the sender's and may tell of the
   * photo.
   */
  readonly extension: string;
  readonly report: SanitizedImage['report'];
}

type Done = (error?: unknown, info?: Partial<CleanFile>) => void;

/**
 * A storage engine for multer: `multer({ storage: cleanStorage() })`. Files are cleaned and kept in memory,
 * as `buffer`; nothing of the original is written. Refusals reach Express's error handling as UploadErrors.
 */
export function cleanStorage(options: UploadOptions = {}) {
  return {
    _handleFile({ socket }: NodeRequest, { stream }: IncomingFile, done: Done): void {
      const leaving = new AbortController();
      const leave = () => leaving.abort();
      socket.once('close', leave);
      cleanUpload(stream, options, leaving.signal)
        .finally(() => socket.off('close', leave))
        .then(
          ({ bytes, mediaType: mimetype, extension, report }) => {
            const { buffer: memory, byteOffset, length } = bytes;
            const buffer = typeof Buffer === 'undefined' ? bytes : Buffer.from(memory, byteOffset, length);
            done(null, { buffer, size: length, mimetype, extension, report });
          },
          (error) => done(error),
        );
    },
    _removeFile(_: NodeRequest, file: { buffer?: Uint8Array }, done: Done): void {
      delete file.buffer;
      done(null);
    },
  };
}
