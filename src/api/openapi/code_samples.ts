import { sanitizePrograms } from './other_languages.ts';

/** A code sample as API references show it (the extension `x-codeSamples`). */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The origin in samples if the deployment doesn't know its own. */
const EXAMPLE_ORIGIN = 'https://sanitizer.example';
const KEY = '-H "Authorization: Bearer $IMAGE_SANITIZER_KEY"';
const ADMIN = '-H "Authorization: Bearer $ADMIN_TOKEN"';
const JSON_TYPE = "-H 'Content-Type: application/json'";
const KEY_ID = 'key_0123456789abcdef01234567';

/** What follows the options common to all curl lines, by operation: address, then further arguments. */
const curlArguments: Readonly<Record<string, readonly [path: string, ...more: string[]]>> = {
  sanitizeImage: [
    '/v1/sanitize',
    KEY,
    '-F image=@photo.jpg',
    `-F 'ops={"pixelate":{"strength":4},"output":{"maxWidth":1600}}'`,
    '-o clean.jpg',
  ],
  detectFaces: ['/v1/detect', KEY, '-F image=@photo.jpg'],
  inspectImage: ['/v1/inspect', KEY, '-F image=@photo.jpg', `-F 'ops={"values":true}'`],
  getUsage: ['/v1/usage', KEY],
  getPricing: ['/v1/pricing'],
  getHealth: ['/v1/health'],
  getReadiness: ['/v1/ready'],
  issueKey: ['/v1/keys', ADMIN, JSON_TYPE, `-d '{"plan":"pro"}'`],
  listKeys: ['/v1/keys', ADMIN],
  showKey: [`/v1/keys/${KEY_ID}`, ADMIN],
  changeKey: [`/v1/keys/${KEY_ID}`, '-X PATCH', ADMIN, JSON_TYPE, `-d '{"plan":"enterprise"}'`],
  revokeKey: [`/v1/keys/${KEY_ID}`, '-X DELETE', ADMIN],
  rotateKey: [`/v1/keys/${KEY_ID}/rotate`, ADMIN, JSON_TYPE, `-d '{"overlap_seconds":3600}'`],
  callMcp: [
    '/mcp',
    KEY,
    JSON_TYPE,
    "-H 'Accept: application/json, text/event-stream'",
    `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  ],
};

/** Calls of the typed client, by operation. */
const clientCalls: Readonly<Record<string, string>> = {
  sanitizeImage: `const { image, report } = await sanitizer.sanitizeWithReport(photo, {
  pixelate: { strength: 4 },
  output: { maxWidth: 1600 },
});`,
  detectFaces: 'const { faces } = await sanitizer.detect(photo);',
  inspectImage: 'const { values } = await sanitizer.inspect(photo, { values: true });',
};

/** The samples of an operation; none for pages and files. @param origin '' where it is not known */
export function codeSamples(operationId: string, origin: string): CodeSample[] {
  const [path, ...more] = curlArguments[operationId] ?? [];
  if (path === undefined) return [];
  const at = origin || EXAMPLE_ORIGIN;
  const curl = [`curl -sS --fail-with-body ${at}${path}`, ...more].join(' \\\n  ');
  const call = clientCalls[operationId];
  const others = operationId === 'sanitizeImage' ? sanitizePrograms : [];
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    ...(call ? [{ lang: 'TypeScript', label: 'TypeScript client', source: program(at, call) }] : []),
    ...others.map(({ lang, label, sourceAt }) => ({ lang, label, source: sourceAt(at) })),
  ];
}

/** @param call with the client as `sanitizer` and a file as `photo` */
function program(origin: string, call: string): string {
  const lines = [
    "import { readFile } from 'node:fs/promises';",
    "import { ImageSanitizer } from 'image-sanitizer/client';",
    '',
    'const sanitizer = new ImageSanitizer({',
    `  baseUrl: '${origin}',`,
    '  apiKey: process.env.IMAGE_SANITIZER_KEY,',
    '});',
    "const photo = await readFile('photo.jpg');",
    call,
    '',
  ];
  return lines.join('\n');
}
