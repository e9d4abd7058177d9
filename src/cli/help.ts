import { commands, DEFAULT_MEMORY_MB, opOptions } from './options.ts';

/** The text of --help, its options from the schemas of ops. */
export function helpText(): string {
  const ops = commands.map((command) => {
    const lines = opOptions(command).map(({ flag, kind, members, repeats, help }) => {
      const value = { boolean: '', number: ' N', text: ' NAME', rectangle: ` ${members.join(',')}` }[kind];
      const names = kind === 'boolean' ? `--${flag}, --no-${flag}` : `--${flag}${value}`;
      return `  ${names}\n      ${help}${repeats ? ' May be given several times.' : ''}`;
    });
    return `Options of ${command}:\n${lines.join('\n')}`;
  });
  return `image-sanitizer: gives photos back clean. Nothing leaves this machine.

Usage:
  image-sanitizer clean FILE|FOLDER|-... [-o FILE|FOLDER|-] [options]
  image-sanitizer inspect FILE|FOLDER|-... [options]
  image-sanitizer detect FILE|FOLDER|-... [options]

Folders are read with all folders in them. - is the standard input or output.

Options of every command:
  -o, --output FILE|FOLDER|-
      Where clean files go; without it beside their sources, as name.clean.jpg.
  -f, --force
      Replace files that are there.
  --json
      One line of JSON for each file on the standard output.
  -j, --jobs N
      Worker threads (default: as many as cores and memory allow).
  --memory MB
      Memory that all threads may use for images together (default ${DEFAULT_MEMORY_MB}).
  -h, --help
      This text.

${ops.join('\n\n')}

Exit codes:
  0    all files are done
  1    some were refused or could not be read or written
  2    the call was wrong
  130  interrupted; files that are written are whole

Examples:
  image-sanitizer clean photo.jpg
  image-sanitizer clean holiday/ -o clean/ --max-width 1600 --format webp
  image-sanitizer clean - -o - < photo.jpg > clean.jpg
  image-sanitizer inspect photo.jpg
`;
}
