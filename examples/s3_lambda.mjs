// An AWS Lambda handler for the events `s3:ObjectCreated:*` of one bucket: puts a clean copy of each picture
// under the same key into the bucket that CLEAN_BUCKET names. Publish only that bucket; give Lambda 1,024 MB.
// Faces are pixelated. Text and plates are not hidden: that needs `pixelate` ops (docs/readable.md).
// npm install image-sanitizer @aws-sdk/client-s3
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ImageError, sanitize } from 'image-sanitizer';

const s3 = new S3Client();
/** The object is gone, or has been replaced, which is a separate event. */
const PASSED = ['NoSuchKey', 'PreconditionFailed'];
/** Refusals of files that are not images, or can't be read. */
const UNREADABLE = ['unprocessable_image', 'payload_too_large'];

/** Lambda retries all other failures, then puts them into the dead letter queue. */
export async function handler({ Records }) {
  // One after another: a picture is in memory while it is cleaned.
  for (const { s3: event } of Records) await clean(event);
}

async function clean({ bucket, object }) {
  const { CLEAN_BUCKET } = process.env;
  if (!CLEAN_BUCKET || CLEAN_BUCKET === bucket.name) throw new Error('CLEAN_BUCKET: expected another bucket');
  // Keys in events are form-encoded.
  const Key = decodeURIComponent(object.key.replaceAll('+', ' '));
  try {
    const asked = { Bucket: bucket.name, Key, IfMatch: `"${object.eTag}"` };
    const { Body } = await s3.send(new GetObjectCommand(asked));
    const { bytes, mediaType } = await sanitize(Body, { output: { maxWidth: 2400 } });
    // No metadata is copied. The key is: a name may give something away, too.
    const made = { Bucket: CLEAN_BUCKET, Key, Body: bytes, ContentType: mediaType };
    await s3.send(new PutObjectCommand(made));
  } catch (error) {
    const isUnreadable = error instanceof ImageError && UNREADABLE.includes(error.code);
    if (!isUnreadable && !PASSED.includes(error.name)) throw error;
  }
}
