import { errorCodes } from '../../ops/responses.ts';
import { inputFormatNames } from '../../vocabulary/format_names.ts';
import { errorTable } from '../answers/errors.ts';
import { billingRules } from '../billing/pricing.ts';
import { errorGuide } from './error_guide.ts';

/**
 * The introduction of the reference, in CommonMark. Each error code has a heading, which `docs` of an error
 * body links to.
 */
export function description(): string {
  const errors = errorCodes.map((code) => {
    const { status, meaning } = errorTable[code];
    return `### ${code}\n\n**${status}.** ${meaning} ${errorGuide[code].advice}`;
  });
  return `${introduction}\n\n## Errors\n\n${errorsIntroduction}\n\n${errors.join('\n\n')}\n`;
}

const introduction = `Send a photo, get it back clean: cropped, greyed, resized, faces and chosen regions in blocks whose detail is gone for good,
every metadata container gone, re-encoded from raw pixels. Images live in memory for one request: nothing is stored, logged or
fetched from elsewhere.

## Sending an image

Three forms of body, the same for sanitize, detect and inspect: JSON with the image as base64 in \`image\` and the options in
\`ops\`; \`multipart/form-data\` with a file part \`image\` and a text part \`ops\`; or the bytes themselves as \`image/*\`, with
\`ops\` as URL-encoded JSON in the query. At most 25 MB and 50 megapixels; ${inputFormatNames('or')}. Remote images
are never fetched.

## Coordinates

All in pixels, origin top-left. \`crop\` and the boxes of detect are relative to the upright (auto-rotated) upload.
\`pixelate.regions\` are relative to the image after crop and resize: subtract \`crop.x\` and \`crop.y\` from a detected box,
then multiply by the output width over the crop width.

## What detection can't promise

Zero faces found is no proof that there are none: profiles, distant or covered faces and poor light can be missed. Plates,
documents and screens are covered by explicit \`regions\` only. Blocks hide features, no more: who knows the person, or has the very picture, may
still go by hair, pose, clothes and place. Look at the result before publishing it.

## Keys, limits and billing

Without a key: one call per rolling 60 seconds. With one (\`Authorization: Bearer …\`) the plan decides.

${billingRules.map((rule) => `- ${rule}`).join('\n')}

Responses to image calls and to \`GET /v1/usage\` say where the caller stands: see their \`X-RateLimit-*\` and \`X-Service-*\`
headers. All other responses carry the same headers with the values of an unused free plan, whoever asks, so that they may
be cached.`;

const errorsIntroduction = `Errors are JSON: \`error\` is a stable code, \`message\` is for people, \`issues\` lists every problem of an ops object,
\`request_id\` names the call. With \`Accept: application/problem+json\` they come as problem details (RFC 9457): \`type\`, \`title\` and
\`status\` beside these members. Only 429 (once, after the stated time) and 5xx (up to three tries, waiting longer each time)
are worth sending again.`;
