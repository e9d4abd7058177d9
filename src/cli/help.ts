import type { FileCommand } from './op_options.ts';

export const introduction = `Gives photos back clean: faces and regions pixelated, all metadata gone, encoded anew from raw
pixels. Everything happens on this machine; nothing is sent anywhere.`;

export const exitCodes = `Exit codes:
  0    all files are done, or were skipped
  1    some files were refused, or could not be read or written; the others are done;
       or no image was found, or check found metadata
  2    the call was wrong; nothing was done
  130  interrupted (143: asked to end); files that are written are whole
`;

const lines: Record<FileCommand, readonly (readonly [call: string, meaning: string])[]> = {
  clean: [
    ['clean photo.jpg', 'writes photo.clean.jpg beside it'],
    ['clean holiday/ -o clean/ --max-width 1600 --format webp', 'a folder into another'],
    ["clean 'holiday/**/*.jpg' -o 'clean/{dir}/{name}-web.{ext}'", 'files of a pattern, names of one'],
    ['clean holiday/ -o clean/ --skip-existing', 'goes on where a run has ended'],
    ['clean holiday/ -o clean/ --names neutral --dry-run', 'shows what would be called how'],
    ['clean - < photo.jpg > clean.jpg', 'from standard input to standard output'],
    ['clean photo.jpg --no-faces --region 40,60,200,80', 'hides one rectangle and no faces'],
  ],
  inspect: [
    ['inspect photo.jpg', 'in sentences'],
    ['inspect holiday/ --json', 'a line of JSON for each file'],
  ],
  detect: [
    ['detect photo.jpg --json', 'with the box of each face'],
    ['detect holiday/ --confidence 0.4', 'finds more faces, and more that are none'],
  ],
  check: [
    ['check assets/ --exclude drafts', 'each metadata block with its bytes; exits 1 where there is one'],
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
