import type { SanitizeOptions } from '../../../client/index.ts';

/** The library on the person's machine, or the service, called with curl or the typed client. */
export type SnippetKind = 'library' | 'curl' | 'client';

/** A call to be written as code. */
export interface Call {
  readonly origin: string;
  /** Name of the file to send, and extension of the result. */
  readonly file: string;
  readonly extension: string;
  readonly ops: SanitizeOptions;
  /** Whether the call uses an API key. */
  readonly keyed: boolean;
}

/** The text in single quotes for a POSIX shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A file part for curl's `-F`, which requires quotes and backslashes to be escaped (curl(1), "-F, --form").
 */
const formFile = (name: string) => `image=@"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const isEmpty = (ops: object) => Object.keys(ops).length === 0;

/** The call as a shell command. The key is a variable, never its value. */
export function curlSnippet({ origin, file, extension, ops, keyed }: Call): string {
  const lines = [
    `curl -sS --fail-with-body ${origin}/v1/sanitize`,
    ...(keyed ? ['-H "Authorization: Bearer $IMAGE_SANITIZER_KEY"'] : []),
    `-F ${shellQuoted(formFile(file))}`,
    ...(isEmpty(ops) ? [] : [`-F ${shellQuoted(`ops=${JSON.stringify(ops)}`)}`]),
    `-o ${shellQuoted(`clean.${extension}`)}`,
  ];
  return lines.join(' \\\n  ');
}

/** The call as a program that uses the typed client. */
export function clientSnippet({ origin, file, ops, extension, keyed }: Call): string {
  const options = isEmpty(ops) ? '' : `, ${JSON.stringify(ops, null, 2)}`;
  const lines = [
    "import { readFile, writeFile } from 'node:fs/promises';",
    "import { ImageSanitizer } from 'image-sanitizer/client';",
    '',
    'const sanitizer = new ImageSanitizer({',
    `  baseUrl: ${JSON.stringify(origin)},`,
    ...(keyed ? ['  apiKey: process.env.IMAGE_SANITIZER_KEY,'] : []),
    '});',
    `const photo = await readFile(${JSON.stringify(file)});`,
    `const { image, report } = await sanitizer.sanitizeWithReport(photo${options});`,
    `await writeFile('clean.${extension}', image.stream());`,
    'console.log(report);',
    '',
  ];
  return lines.join('\n');
}

/** The call as a program that uses the library; nothing is sent. */
export function librarySnippet({ file, ops, extension }: Call): string {
  const options = isEmpty(ops) ? '' : `, ${JSON.stringify(ops, null, 2)}`;
  const names = Object.keys(ops.pixelate?.detectors ?? {});
  const opened = names.map((name) => `await onnxDetector('${name}.json')`).join(', ');
  const lines = [
    "import { readFile, writeFile } from 'node:fs/promises';",
    "import { sanitize } from 'image-sanitizer';",
    ...(opened ? ["import { onnxDetector } from 'image-sanitizer/onnx';"] : []),
    '',
    `const photo = await readFile(${JSON.stringify(file)});`,
    `const { bytes, report } = await sanitize(photo${options}${opened && `, { detectors: [${opened}] }`});`,
    `await writeFile('clean.${extension}', bytes);`,
    'console.log(report);',
    '',
  ];
  return lines.join('\n');
}

/** The call as code of this kind. */
export const snippetOf = (kind: SnippetKind, call: Call): string =>
  ({ library: librarySnippet, curl: curlSnippet, client: clientSnippet })[kind](call);
