import { headersWith } from '../headers.ts';
import { operation } from '../operation.ts';

const page = (id: string, summary: string, description: string) =>
  operation({
    id,
    tag: 'Pages',
    summary,
    description,
    auth: 'none',
    answers: {
      200: {
        description: 'The page.',
        headers: headersWith('Content-Security-Policy'),
        content: { 'text/html': { schema: { type: 'string' } } },
      },
    },
  });

const text = (id: string, summary: string, description: string) =>
  operation({
    id,
    tag: 'Pages',
    summary,
    description,
    auth: 'none',
    answers: {
      200: {
        description: 'The text.',
        headers: headersWith(),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  });

export const pagePaths = {
  '/': { get: page('getPlayground', 'Playground', 'Try the service in a browser.') },
  '/docs': { get: page('getReference', 'API reference', 'This description as a page.') },
  '/llms.txt': {
    get: text('getLlmsText', 'For language models', 'What this service is and how it is called, in short.'),
  },
  '/robots.txt': { get: text('getRobotsText', 'For crawlers', 'What may be crawled.') },
  '/assets/{file}': {
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'A script or style of the pages.',
        schema: { type: 'string' },
        example: 'reference.js',
      },
    ],
    get: operation({
      id: 'getAsset',
      tag: 'Pages',
      summary: 'Scripts and styles of the pages',
      description: 'Served from here, so that no page loads anything from elsewhere.',
      auth: 'none',
      answers: {
        200: {
          description: 'The file.',
          headers: headersWith('Cache-Control'),
          content: Object.fromEntries(
            ['text/javascript', 'text/css', 'image/svg+xml', 'image/png', 'font/woff2'].map((type) => [
              type,
              { schema: { type: 'string' } },
            ]),
          ),
        },
        304: { description: 'Unchanged since it was loaded.', headers: headersWith('Cache-Control') },
      },
      errors: [404],
    }),
  },
};
