// A handler of AWS Lambda for the events `s3:ObjectCreated:*` of one bucket: puts each picture, cleaned, under
// the same key into the bucket that CLEAN_BUCKET names. Publish that one alone; give Lambda 1,024 MB.
// npm install image-sanitizer @aws-sdk/client-s3
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ImageError, sanitize } from 'image-sanitizer';

const s3 = new S3Client();
/** What is gone, or has been replaced, which is an event of its own. */
const PASSED = ['NoSuchKey', 'PreconditionFailed'];
/** Refusals of what is no picture, or none that can be read. */
const UNREADABLE = ['unprocessable_image', 'payload_too_large'];

/** What fails otherwise is Lambda's to try again, and then for the dead letter queue. */
export async function handler({ Records }) {
  // One after another: a picture is in memory while it is cleaned.
  for (const { s3: event } of Records) await clean(event);
}

async function clean({ bucket, object }) {
  const { CLEAN_BUCKET } = process.env;
  if (!CLEAN_BUCKET || CLEAN_BUCKET === bucket.name) throw new Error('CLEAN_BUCKET: expected another bucket');
  // Events have keys as forms have them.
  const Key = decodeURIComponent(object.key.replaceAll('+', ' '));
  try {
    const asked = { Bucket: bucket.name, Key, IfMatch: `"${object.eTag}"` };
    const { Body } = await s3.send(new GetObjectCommand(asked));
    const { bytes, mediaType } = await sanitize(Body, { output: { maxWidth: 2400 } });
    // None of its metadata; a key may tell of a photo as well.
    const made = { Bucket: CLEAN_BUCKET, Key, Body: bytes, ContentType: mediaType };
    await s3.send(new PutObjectCommand(made));
  } catch (error) {
    const isUnreadable = error instanceof ImageError && UNREADABLE.includes(error.code);
    if (!isUnreadable && !PASSED.includes(error.name)) throw error;
  }
}
