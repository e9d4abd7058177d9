export type { ImageInput } from '../image_input.ts';
export type { LibrarySanitizeOps as SanitizeOpsInput, SanitizedImage } from '../options.ts';
export { cleanRequest } from './clean_request.ts';
export { type CleanFile, cleanStorage } from './clean_storage.ts';
export type { UploadOptions } from './clean_upload.ts';
export { cleanUploads } from './clean_uploads.ts';
export { UploadError, type UploadErrorCode } from './upload_error.ts';
