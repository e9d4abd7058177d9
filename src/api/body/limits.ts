/** Limits of request bodies and of reading them. */

/** Largest image: 25 MB = 25 × 1024 × 1024 bytes (specification: Limits; the unit: docs/api.md). */
export const MAX_IMAGE_BYTES = 25 * 1024 * 1024;

/** Largest `ops` text; in a JSON body, all text except the image. 200 regions take about 12 KB. */
export const MAX_OPS_BYTES = 1024 * 1024;

/** Most characters of a number: no double needs as many to be told apart. */
export const MAX_LITERAL_LENGTH = 100;

/** Most unknown member names that are collected for a message. */
export const MAX_UNKNOWN_MEMBERS = 20;

/** Longest head of a data URL (`data:image/jpeg;…;base64,`). */
export const MAX_DATA_URL_HEAD = 1024;

/**
 * Largest JSON body: base64 of the largest image (RFC 4648: 4 characters for 3 bytes), an eighth more for
 * its line breaks and escapes (escaped CRLF every 76 characters is 1/19, `+` written as `\u002B` is 5/64),
 * and everything else.
 */
export const MAX_JSON_BYTES = Math.ceil((Math.ceil(MAX_IMAGE_BYTES / 3) * 4 * 9) / 8) + MAX_OPS_BYTES;

/** Largest header block of one multipart part. Browsers send under 1 KB. */
export const MAX_PART_HEADER_BYTES = 16 * 1024;

/** Largest multipart body: image, ops, and room for boundaries and part headers. */
export const MAX_MULTIPART_BYTES = MAX_IMAGE_BYTES + MAX_OPS_BYTES + 4 * MAX_PART_HEADER_BYTES;

/** Longest multipart boundary (RFC 2046 §5.1.1). */
export const MAX_BOUNDARY_LENGTH = 70;

/** Bytes read from the network at a time: larger reads are cheaper, and beyond 64 KB there is no gain. */
export const READ_BYTES = 64 * 1024;
