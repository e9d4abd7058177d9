import { type Command, InvalidArgumentError, Option } from 'commander';
import { type OpOption, opOptions, opValue, someNumber } from './op_options.ts';
import { replacements } from './output_format.ts';
import { outputPatternFault } from './output_path.ts';

/** Values of `--format` in addition to the formats of the ops. */
const MORE_FORMATS = ['jpg', 'same'];

/** The op that caps the width. */
export const maxWidth = opOptions('clean').find(({ flag }) => flag === 'max-width')!;

/** Size caps that are converted to a `--max-width` of each photo. */
export const CAPS = [
  { flag: 'max-height', help: 'Downscale cap of the height in pixels; never enlarges. (16 to 12000)' },
  { flag: 'max-edge', help: 'Downscale cap of the longer side in pixels; never enlarges. (16 to 12000)' },
] as const;

/** Adds the ops of a command as options, and the program's own options. */
export function addOpOptions(command: Command, options: readonly OpOption[]): void {
  for (const option of options) {
    if (option.flag === 'format') addFormat(command, option);
    else addOpOption(command, option);
    if (option.flag !== maxWidth.flag) continue;
    for (const cap of CAPS) addOpOption(command, { ...maxWidth, ...cap });
  }
}

/** Whether an op is true or false: both forms are then listed on one line of the help. */
export const isOpposable = (option: Option): boolean => 'hasOpposite' in option;

/** Adds the options for the place of outputs. */
export function addOutputOptions(command: Command): void {
  command
    .option(
      '-o, --output <where>',
      'file, folder, - for standard output, or pattern of {dir}, {name}, {source} and {ext} ' +
        '(default: beside the source, as name.clean.jpg)',
      (text) => {
        const fault = outputPatternFault(text);
        if (fault) throw new InvalidArgumentError(fault);
        return text;
      },
    )
    .addOption(new Option('-f, --force', 'replace outputs that are there').conflicts('skipExisting'))
    .option('-s, --skip-existing', 'leave files alone whose outputs are there: goes on with a run')
    .addOption(
      new Option('--names <kind>', "original: outputs have the source's name; neutral: photo-1, photo-2, …")
        .choices(['original', 'neutral'])
        .default('original'),
    )
    .option('-n, --dry-run', 'say what would be done, and write nothing');
}

/** Adds the option for additional detectors. */
export function addDetectorOption(command: Command): void {
  command.option(
    '--detector <manifest>',
    'also hide, or list, what the detector of this manifest finds; needs onnxruntime-web. May be given several times.',
    (path: string, before: string[] = []) => [...before, path],
  );
}

/** The one op with a further value here: the format of the source. */
function addFormat(command: Command, { flag, choices }: OpOption): void {
  const all = [...choices, ...MORE_FORMATS];
  const help =
    `Output format: ${all.join(', ')} (default: as -o ends, else jpeg). same keeps the source's; of those ` +
    `that are not written ${replacements().join(', ')}.`;
  command.addOption(
    new Option(`--${flag} <name>`, help).argParser((text) => {
      if (!all.includes(text)) throw new InvalidArgumentError(`Expected one of ${all.join(', ')}.`);
      return text;
    }),
  );
}

function addOpOption(command: Command, option: OpOption): void {
  const { flag, kind, members, words, repeats, help } = option;
  if (kind === 'boolean') {
    command
      .addOption(Object.assign(new Option(`--${flag}`, help), { hasOpposite: true }))
      .addOption(new Option(`--no-${flag}`).hideHelp());
    return;
  }
  const rectangle = [members.join(), ...Object.keys(words).map((word) => `[,${word}]`)].join('');
  const value = { number: 'n', text: 'name', rectangle }[kind];
  const what = { number: 'a number', text: 'a name', rectangle: `numbers ${value}` }[kind];
  command.option(
    `--${flag} <${value}>`,
    repeats ? `${help} May be given several times.` : help,
    (text: string, before: unknown) => {
      const read = opValue(option, text);
      if (read === undefined) throw new InvalidArgumentError(`Expected ${what}.`);
      return repeats ? [...((before as unknown[] | undefined) ?? []), read] : read;
    },
  );
}

/** Reads a whole number from 1. @throws InvalidArgumentError for any other text */
export function wholeNumber(text: string): number {
  const number = someNumber(text);
  if (number === undefined || !Number.isSafeInteger(number) || number < 1) {
    throw new InvalidArgumentError('Expected a whole number from 1.');
  }
  return number;
}
