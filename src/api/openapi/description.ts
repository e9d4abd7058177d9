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

const introduction = `Send a photo, get a clean copy: metadata removed, faces pixelated, pixels re-encoded.
Optionally crop, resize or convert to grayscale. Images stay in memory for one request: they are never stored,
logged or fetched from elsewhere.

## Sending an image

Sanitize, detect and inspect accept three forms of body: JSON with the image as base64 in \`image\` and the
options in \`ops\`; \`multipart/form-data\` with a file part \`image\` and a text part \`ops\`; or the bytes
themselves as \`image/*\`, with \`ops\` as URL-encoded JSON in the query. At most 25 MB and 50 megapixels;
${inputFormatNames('or')}. Remote images are never fetched.

## Hiding what can be read

Only \`fill: "solid"\` hides text, numbers, documents, number plates and screens. Don't use a mosaic for them,
although it is the default of regions: of 1,600 names of 24 px under the default blocks, the right one was
picked in 88 of 100 trials. A solid fill depends on nothing beneath it:

\`{ "pixelate": { "regions": [{ "x": 40, "y": 60, "w": 200, "h": 80, "fill": "solid" }] } }\`

\`pixelate.plates\` and \`pixelate.text\` find number plates and text and fill them. They are experimental and
miss some: only a solid region is sure to hide one that the search misses.

## Coordinates

All are pixels, origin top-left, each in one of three pictures:

- Boxes of detect and \`pixelate.areas\`: the upright upload (after EXIF auto-rotation), before rotate, crop
  and resize.
- \`crop\`: the upright picture after \`rotate\`.
- \`pixelate.regions\`, \`pixelate.except\` and all boxes of the report: the output, after crop and resize.

## Detect, choose, hide

Call detect, let a person choose, and send the chosen \`faces\` and \`boxes\` back unchanged as
\`pixelate.areas\`, up to 2,000. Nothing has to be translated, whatever else the call rotates, crops or
resizes. Faces become blocks as if they had just been found; everything else is filled. With \`areas\` nothing
is searched for unless the call asks for it.

## What detection can't promise

Zero faces found does not prove that there are none: profiles, distant or covered faces and poor light can be
missed. Blocks hide features only: people who know the person, or have the same picture, may still recognise
hair, pose, clothes and place. Look at the result before you publish it.

## Keys, limits and billing

Without a key: one call per rolling 60 seconds. With one (\`Authorization: Bearer …\`) the plan decides.

${billingRules.map((rule) => `- ${rule}`).join('\n')}

Responses to image calls and to \`GET /v1/usage\` say where the caller stands: see their \`X-RateLimit-*\` and
\`X-Service-*\` headers. All other responses carry the same headers with the values of an unused free plan,
whoever asks, so that they may be cached.`;

const errorsIntroduction = `Errors are JSON: \`error\` is a stable code, \`message\` is for people, \`issues\`
lists every problem of an ops object, \`request_id\` names the call. With \`Accept: application/problem+json\`
they come as problem details (RFC 9457): \`type\`, \`title\` and \`status\` in addition to these members. Only
retry 429 (once, after the stated time) and 5xx (up to three times, waiting longer each time).`;
