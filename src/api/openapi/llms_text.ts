import { inputFormatNames } from '../../vocabulary/format_names.ts';
import { billingRules, pricing } from '../billing/pricing.ts';
import { tools } from '../tools.ts';
import { codeSamples } from './code_samples.ts';
import { openApiDocument } from './document.ts';
import type { Operation } from './operation.ts';

/**
 * The text of /llms.txt (https://llmstxt.org): what this service is and how it is called, for language
 * models.
 * @param origin of this deployment; '' for addresses relative to it
 */
export function llmsText(origin: string): string {
  const { plans } = pricing();
  const rates = plans.map(
    ({ plan, rate_limit: { calls, window_seconds }, price_per_billable_call: price }) => {
      const cost = price === null ? 'no key, never billed' : `$${price} per billable call`;
      return `- ${plan}: ${calls} ${calls === 1 ? 'call' : 'calls'} per rolling ${window_seconds} s, ${cost}`;
    },
  );
  return `# Image sanitizer

> Send a photo, get a clean copy: metadata removed, faces pixelated, pixels re-encoded. Optionally crop,
> resize or convert to grayscale. Nothing is stored, logged or fetched from elsewhere.

Send the image itself: base64 in JSON (\`{"image": "…", "ops": {…}}\`), a multipart file part \`image\` with a
text part \`ops\`, or the bytes as \`image/*\` with \`?ops=\` in the query. Never an address: remote images
are not fetched. At most 25 MB and 50 megapixels; ${inputFormatNames('or')} in; JPEG, PNG or WebP out.

\`\`\`sh
${codeSamples('sanitizeImage', origin)[0]!.source}
\`\`\`

Only \`"fill": "solid"\` hides what can be read: text, numbers, documents, number plates, screens. Never use a
mosaic for them, although it is the default of regions: of 1,600 names of 24 px under the default blocks, the
right one was picked in 88 of 100 trials. So ops that hide a rectangle are:

\`\`\`json
{ "pixelate": { "regions": [{ "x": 40, "y": 60, "w": 200, "h": 80, "fill": "solid" }] } }
\`\`\`

\`pixelate.plates\` and \`pixelate.text\` find number plates and text and fill them; they are experimental and
miss some. Only a solid region is sure to hide one that the search misses. Zero faces found does not prove
that there are none. Blocks hide features only: people who know the person may still recognise hair, pose,
clothes and place.

Coordinates are pixels, origin top-left. Boxes of detect and \`pixelate.areas\` count in the upright upload,
before rotate, crop and resize; \`crop\` in the upright picture after \`rotate\`; \`pixelate.regions\` and
\`except\` in the output, after crop and resize. To hide what detect found, send its boxes back unchanged as
\`pixelate.areas\`: no translation, and nothing else is searched for unless asked.

## Documents

- [OpenAPI 3.1](${origin}/openapi.json): every operation, limit, header and error
- [Tool definitions](${origin}/v1/tools.json): for OpenAI and Anthropic models
- [API reference](${origin}/docs): the same as a page, with an explanation of each error code

## I want to …

- clean one photo now: POST it to ${origin}/v1/sanitize, as above
- use tools: \`${origin}/mcp\`; on the person's own machine, sending nothing, \`npx image-sanitizer mcp FOLDER\`
- clean files, or find metadata in a repository: \`npx image-sanitizer clean FILES\`, \`npx image-sanitizer check FILES\`
- clean in a program: the package \`image-sanitizer\`; uploads of a server: \`image-sanitizer/upload\`

## Model Context Protocol

Streamable HTTP at ${origin}/mcp, the same bearer key, with these tools:

${tools.map(({ name, summary }) => `- ${name}: ${summary}`).join('\n')}

## Operations

${operations(origin)}

## Limits and prices

${rates.join('\n')}
${billingRules.map((rule) => `- ${rule}`).join('\n')}
- Only retry 429 (once, after \`Retry-After\` seconds) and 5xx (up to three times).
`;
}

/** One line for each operation that is not a page. */
function operations(origin: string): string {
  const lines = Object.entries(openApiDocument(origin).paths).flatMap(([path, item]) =>
    ['get', 'post', 'patch', 'delete'].flatMap((method) => {
      const operation = item[method] as Operation | undefined;
      if (!operation || operation.tags.includes('Pages')) return [];
      return [`- ${method.toUpperCase()} ${path}: ${operation.summary}`];
    }),
  );
  return lines.join('\n');
}
