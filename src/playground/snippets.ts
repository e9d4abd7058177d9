import type { SanitizeOptions } from '../../client/index.ts';

/** What a call needs to be written down. */
interface Call {
  readonly origin: string;
  readonly file: string;
  readonly extension: string;
  readonly ops: SanitizeOptions;
  readonly keyed: boolean;
}

/** In single quotes for a POSIX shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A form's file for curl -F, whose own quotes and backslashes must be escaped (curl(1), "-F, --form"). */
const formFile = (name: string) => `image=@"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const isEmpty = (ops: object) => Object.keys(ops).length === 0;

/** The same call for a shell; a key is a variable, never its value. */
export function curlSnippet({ origin, file, extension, ops, keyed }: Call): string {
  const lines = [
    `curl -sS ${origin}/v1/sanitize`,
    ...(keyed ? ['-H "Authorization: Bearer $IMAGE_SANITIZER_KEY"'] : []),
    `-F ${shellQuoted(formFile(file))}`,
    ...(isEmpty(ops) ? [] : [`-F ${shellQuoted(`ops=${JSON.stringify(ops)}`)}`]),
    `-o ${shellQuoted(`clean.${extension}`)}`,
  ];
  return lines.join(' \\\n  ');
}

/** The same call with the typed client. */
export function clientSnippet({ origin, file, ops, extension, keyed }: Call): string {
  const key = keyed ? '\n  apiKey: process.env.IMAGE_SANITIZER_KEY,' : '';
  const options = isEmpty(ops) ? '' : `, ${JSON.stringify(ops, null, 2)}`;
  return `import { readFile, writeFile } from 'node:fs/promises';
import { ImageSanitizer } from 'image-sanitizer/client';

const sanitizer = new ImageSanitizer({
  baseUrl: ${JSON.stringify(origin)},${key}
});
const photo = await readFile(${JSON.stringify(file)});
const { image, report } = await sanitizer.sanitizeWithReport(photo${options});
await writeFile('clean.${extension}', image.stream());
console.log(report);
`;
}
