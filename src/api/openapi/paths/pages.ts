import { headersWith, type SpecificHeader } from '../headers.ts';
import { operation } from '../operation.ts';

/** Headers of a page and of all its files. */
const pageHeaders: SpecificHeader[] = [
  'Cache-Control',
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
];

const unchanged = {
  304: {
    description: 'Unchanged since it was loaded (`If-None-Match`).',
    headers: headersWith(...pageHeaders),
  },
};

const ofType = (...types: string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

/** The operation that returns a page, or a file of one. @param what describes the answer */
const ofPage = (id: string, summary: string, description: string, what: string, ...types: string[]) =>
  operation({
    id,
    tag: 'Pages',
    summary,
    description,
    auth: 'none',
    responses: {
      200: { description: what, headers: headersWith(...pageHeaders), content: ofType(...types) },
      ...unchanged,
    },
    errors: [404],
  });

const page = (id: string, summary: string, description: string) => ({
  get: ofPage(id, summary, description, 'The page.', 'text/html'),
});

const text = (id: string, summary: string, description: string) => ({
  get: operation({
    id,
    tag: 'Pages',
    summary,
    description,
    auth: 'none',
    responses: {
      200: { description: 'The text.', headers: headersWith('Cache-Control'), content: ofType('text/plain') },
    },
  }),
});

const rootFile = (id: string, summary: string, type: string) => ({
  get: ofPage(id, summary, 'Of the page at `/`.', 'The file.', type),
});

const FILE_TYPES = [
  ...['text/javascript', 'text/css', 'text/html', 'image/svg+xml', 'image/png', 'image/jpeg', 'text/plain'],
  'application/gzip',
];

const files = (id: string, summary: string, example: string) => ({
  parameters: [
    {
      name: 'file',
      in: 'path',
      required: true,
      description: 'Name of the file, with a hash of its content.',
      schema: { type: 'string' },
      example,
    },
  ],
  get: ofPage(
    id,
    summary,
    'Served from here, so that the page loads nothing from elsewhere.',
    'The file.',
    ...FILE_TYPES,
  ),
});

export const pagePaths = {
  '/': page('getPlayground', 'Playground', 'Try the service in a browser.'),
  '/privacy': page('getPrivacy', 'Privacy statement', 'What is done with photos, and what is kept.'),
  '/playground/{file}': files('getPlaygroundFile', 'Files of the playground', 'page.0123456789ab.js'),
  '/service_worker.js': rootFile(
    'getServiceWorker',
    'Keeps the page for times without a network',
    'text/javascript',
  ),
  '/manifest.webmanifest': rootFile('getManifest', 'Makes the page installable', 'application/manifest+json'),
  '/share': {
    post: operation({
      id: 'openShared',
      tag: 'Pages',
      summary: 'Photos shared to the installed page',
      description:
        'Taken by the page’s service worker, on the device. What gets here is not read: the answer leads to the page.',
      auth: 'none',
      responses: { 303: { description: 'To the page.', headers: headersWith('Location') } },
    }),
  },
  '/docs': page('getReference', 'API reference', 'This description as a page.'),
  '/docs/{file}': files('getReferenceFile', 'Scripts of the API reference', 'start.0123456789ab.js'),
  '/llms.txt': text(
    'getLlmsText',
    'For language models',
    'What this service is and how it is called, in short.',
  ),
  '/robots.txt': text('getRobotsText', 'For crawlers', 'What may be crawled.'),
};
