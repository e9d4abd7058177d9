import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type * as z from 'zod';
import { validateOps } from '../ops/validate.ts';
import { STANDARD_STREAM } from './find_files.ts';
import { examples, exitCodes, introduction } from './help.ts';
import {
  type FileCommand,
  fileCommands,
  type OpOption,
  opOptions,
  opsOf,
  opsSchemas,
  opValue,
  someNumber,
} from './op_options.ts';
import { outputPatternFault } from './output_path.ts';
import { printable, printableLines } from './printable.ts';

/** What a person asked for of files. */
export interface Invocation {
  readonly command: FileCommand;
  /** Files, folders, patterns, or `-` for the standard input. */
  readonly inputs: readonly string[];
  /** Valid by the schema, without its defaults. */
  readonly ops: Record<string, unknown>;
  readonly output: string | undefined;
  /** What becomes of a file whose output is there already. */
  readonly existing: 'refuse' | 'replace' | 'skip';
  readonly json: boolean;
  readonly quiet: boolean;
  /** Worker threads; undefined for as many as cores and memory allow. */
  readonly jobs: number | undefined;
  /** Megabytes for all threads together. */
  readonly memory: number;
}

/** What the arguments mean: work on files, the local service, or a text and the exit code after it. */
export type Asked =
  | { readonly files: Invocation }
  | { readonly serve: readonly string[] }
  | { readonly text: string; readonly exitCode: 0 | 2 };

/** Megabytes for all threads where none are named. */
const DEFAULT_MEMORY_MB = 1024;

const summaries: Record<FileCommand, string> = {
  clean: 'write clean copies: without metadata, faces pixelated',
  inspect: 'tell what files give away',
  detect: 'count faces, or list them with --json',
};

/** Reads the arguments after the program's name. */
export function readArguments(given: readonly string[], version: string): Asked {
  let asked: Asked | undefined;
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const program = new Command('image-sanitizer')
    .description(introduction)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; after a command, its options')
    .helpCommand('help [command]', 'print the options of a command')
    .addHelpText('after', `\n${exitCodes}\n${examples()}`)
    .configureHelp({
      optionTerm: (option) => (isOpposable(option) ? `${option.flags}, --no-${option.name()}` : option.flags),
    })
    .configureOutput({ writeOut: write, writeErr: write, getOutHelpWidth: () => 100 })
    .exitOverride();
  for (const name of fileCommands) {
    addFileCommand(program, name, (files) => {
      asked = { files };
    });
  }
  program
    .command('serve [options...]')
    .description('run the service on this machine (in a checkout of its repository)')
    .helpOption(false)
    .allowUnknownOption()
    .action((_, __, { args }: Command) => {
      asked = { serve: args };
    });
  try {
    program.parse(given.length === 0 ? ['--help'] : given, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text, exitCode: 0 };
    return { text: `${printableCall(text.trimEnd(), given)}See image-sanitizer --help\n`, exitCode: 2 };
  }
  // A command that was read is the only other way out.
  return asked!;
}

/** Messages repeat arguments, among which a shell's pattern may have put names of files. */
function printableCall(text: string, given: readonly string[]): string {
  const shown = given.reduce((left, one) => {
    const value = one.slice(one.indexOf('=') + 1);
    return left.replaceAll(one, printable(one)).replaceAll(value, printable(value));
  }, text);
  return printableLines(shown.split('\n'));
}

function addFileCommand(program: Command, name: FileCommand, take: (invocation: Invocation) => void): void {
  const options = opOptions(name);
  const command = program
    .command(name)
    .summary(summaries[name])
    .description(`${summaries[name][0]!.toUpperCase()}${summaries[name].slice(1)}.`)
    .argument('<input...>', 'files, folders with all in them, patterns in quotes, - for standard input');
  for (const option of options) addOpOption(command, option);
  if (name === 'clean') addOutputOptions(command);
  command
    .option('--json', 'print a line of JSON for each file')
    .option('-q, --quiet', 'no progress and no summary; complaints remain')
    .option('-j, --jobs <n>', 'worker threads (default: as many as cores and memory allow)', wholeNumber)
    .option('--memory <mb>', 'megabytes for images, all threads together', wholeNumber, DEFAULT_MEMORY_MB)
    .addHelpText('after', `\n${exitCodes}\n${examples(name)}`)
    .action((inputs: string[], values: Record<string, unknown>) => {
      const ops = opsOf(options, (flag) => values[memberOf(flag)]);
      const valid = validateOps<z.ZodType>(opsSchemas[name], ops);
      if (!valid.ok) {
        command.error(
          valid.issues.map(({ path, message }) => `error: ${flagOf(options, path)}: ${message}`).join('\n'),
        );
      }
      const output = values.output as string | undefined;
      const fault = standardStreamFault(name, inputs, output, values.json === true);
      if (fault) command.error(`error: ${fault}`);
      take({
        command: name,
        inputs,
        ops,
        output,
        existing: values.force === true ? 'replace' : values.skipExisting === true ? 'skip' : 'refuse',
        json: values.json === true,
        quiet: values.quiet === true,
        jobs: values.jobs as number | undefined,
        memory: values.memory as number,
      });
    });
}

/** An op that is true or false: both forms stand in one line of the help. */
const isOpposable = (option: Option): boolean => 'hasOpposite' in option;

function addOutputOptions(command: Command): void {
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
    .option('-s, --skip-existing', 'leave files alone whose outputs are there: goes on with a run');
}

function addOpOption(command: Command, option: OpOption): void {
  const { flag, kind, members, word, repeats, help } = option;
  if (kind === 'boolean') {
    command
      .addOption(Object.assign(new Option(`--${flag}`, help), { hasOpposite: true }))
      .addOption(new Option(`--no-${flag}`).hideHelp());
    return;
  }
  const value = { number: 'n', text: 'name', rectangle: `${members.join(',')}${word ? `[,${word}]` : ''}` }[
    kind
  ];
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

/** One stream can't be two things. @returns what is wrong, if anything is */
function standardStreamFault(
  command: FileCommand,
  inputs: readonly string[],
  output: string | undefined,
  json: boolean,
): string | undefined {
  const fromInput = inputs.filter((input) => input === STANDARD_STREAM).length;
  if (fromInput > 1) return 'the standard input can be read once only';
  if (command !== 'clean') return undefined;
  const toOutput = output === STANDARD_STREAM || (output === undefined && fromInput > 0);
  if (toOutput && inputs.length > 1) return 'the standard output takes the image of one input only';
  if (toOutput && json) return 'the standard output cannot take an image and --json';
  return undefined;
}

function wholeNumber(text: string): number {
  const number = someNumber(text);
  if (number === undefined || !Number.isSafeInteger(number) || number < 1) {
    throw new InvalidArgumentError('Expected a whole number from 1.');
  }
  return number;
}

/** The member by which commander has an option's value. */
const memberOf = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The option that an issue is about. */
function flagOf(options: readonly OpOption[], path: string): string {
  const option = options.find(({ path: at }) => `${path}.`.startsWith(`${at.join('.')}.`));
  return option ? `--${option.flag}` : path;
}
