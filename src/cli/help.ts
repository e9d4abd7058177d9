import type { FileCommand } from './op_options.ts';

export const introduction = `Removes metadata from photos, pixelates faces and re-encodes the pixels. To hide
text, use a solid region. Everything happens on this machine; nothing is sent anywhere.`;

export const exitCodes = `Exit codes:
  0    all files were done or skipped
  1    some files were refused, or could not be read or written; the others were done;
       or no image was found (check exits with 0), or check found metadata
  2    the call was wrong; nothing was done
  130  interrupted (143: terminated); files that were written are complete
`;

const lines: Record<FileCommand, readonly (readonly [call: string, meaning: string])[]> = {
  clean: [
    ['clean photo.jpg', 'writes photo.clean.jpg next to it'],
    ['clean holiday/ -o clean/ --max-width 1600 --format webp', 'from one folder to another'],
    ["clean 'holiday/**/*.jpg' -o 'clean/{dir}/{name}-web.{ext}'", 'selects and names files by patterns'],
    ['clean holiday/ -o clean/ --skip-existing', 'continues a run'],
    ['clean holiday/ -o clean/ --names neutral --dry-run', 'shows where each file would go'],
    ['clean - < photo.jpg > clean.jpg', 'from standard input to standard output'],
    ['clean photo.jpg --no-faces --region 40,60,200,80,solid', 'fills one rectangle, hides no faces'],
  ],
  inspect: [
    ['inspect photo.jpg', 'in sentences'],
    ['inspect holiday/ --json', 'a line of JSON for each file'],
  ],
  detect: [
    ['detect photo.jpg --json', 'with the box of each face'],
    ['detect holiday/ --confidence 0.4', 'finds more faces, and more false positives'],
  ],
  check: [
    [
      'check assets/ --exclude drafts',
      'lists metadata blocks with their bytes; exits with 1 if there is one',
    ],
    ['check assets/ --format sarif > check.sarif', 'for code scanning'],
  ],
};

/** Examples of one command, or some of each. */
export function examples(command?: FileCommand): string {
  const shown = command
    ? lines[command]
    : [...lines.clean.slice(0, 3), lines.inspect[0]!, lines.detect[0]!, lines.check[0]!];
  const texts = shown.map(([call, meaning]) => `  # ${meaning}\n  image-sanitizer ${call}\n`);
  return `Examples:\n${texts.join('')}`;
}
