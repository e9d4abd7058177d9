// Cleans each new picture of one R2 bucket and puts it into another; see README.md in this folder.

/** What is done to each picture, as POST /v1/sanitize has it. */
const ops = { output: { maxWidth: 2400 } };

/** Refusals that a retry would only repeat: the file is not an image, or can't be read. */
const FOR_GOOD = [400, 413, 415, 422];

export default {
  /** Takes R2's event notifications. A message that fails in the end goes to the dead letter queue. */
  async queue({ messages }, env) {
    // One after another: a picture is in memory while its answer comes.
    for (const message of messages) await clean(message, env);
  },
};

async function clean(message, env) {
  const { action, object, eventTime } = message.body;
  if (!['PutObject', 'CopyObject', 'CompleteMultipartUpload'].includes(action)) return message.ack();
  const found = await env.UPLOADS.get(object.key, { onlyIf: { etagMatches: object.eTag } });
  // It is gone, or was replaced, which is a separate event.
  if (!found?.body) return message.ack();
  const answer = await env.SANITIZER.fetch(
    `https://sanitizer/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(ops))}`,
    {
      method: 'POST',
      body: found.body,
      headers: {
        Authorization: `Bearer ${env.IMAGE_SANITIZER_KEY}`,
        // The service tells the format by the bytes.
        'Content-Type': 'image/*',
        // R2 may deliver an event more than once: the picture is charged once.
        'Idempotency-Key': `${object.eTag}-${eventTime}`,
      },
    },
  );
  if (answer.ok) {
    const contentType = answer.headers.get('Content-Type');
    await env.CLEAN.put(object.key, await answer.arrayBuffer(), { httpMetadata: { contentType } });
    return message.ack();
  }
  await answer.body?.cancel();
  if (FOR_GOOD.includes(answer.status)) return message.ack();
  message.retry({ delaySeconds: Number(answer.headers.get('Retry-After')) || 60 });
}
