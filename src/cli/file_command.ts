import { type Command, Option } from 'commander';
import type * as z from 'zod/mini';
import { validateOps } from '../ops/validate.ts';
import {
  addDetectorOption,
  addOpOptions,
  addOutputOptions,
  CAPS,
  maxWidth,
  wholeNumber,
} from './file_options.ts';
import { STANDARD_STREAM } from './find_files.ts';
import { examples, exitCodes } from './help.ts';
import { type FileCommand, type OpOption, opOptions, opsOf, opsSchemas } from './op_options.ts';
import type { OutputFormat } from './output_format.ts';
import type { SizeCap } from './size_cap.ts';

/** A person's request to work on files. */
export interface Invocation {
  readonly command: FileCommand;
  /** Files, folders, patterns, or `-` for the standard input. */
  readonly inputs: readonly string[];
  /** Valid by the schema, without its defaults. */
  readonly ops: Record<string, unknown>;
  /** The value of `--format`; `same` is not a format of the ops. */
  readonly format: OutputFormat | 'same' | undefined;
  readonly cap: SizeCap;
  readonly output: string | undefined;
  /** Whether output names must reveal nothing of the source's name. */
  readonly isNeutral: boolean;
  /** Whether nothing is written, only reported. */
  readonly dryRun: boolean;
  /** Paths of manifests of additional detectors. */
  readonly detectors: readonly string[];
  /** Patterns of files and folders to leave out. */
  readonly exclude: readonly string[];
  /** What to do with a file whose output already exists. */
  readonly existing: 'refuse' | 'replace' | 'skip';
  readonly json: boolean;
  /** How `check` reports its findings. */
  readonly report: 'text' | 'json' | 'sarif';
  readonly quiet: boolean;
  /** Worker threads; undefined for as many as cores and memory allow. */
  readonly jobs: number | undefined;
  /** Megabytes for all threads together. */
  readonly memory: number;
}

/** Default for the megabytes of all threads together. */
const DEFAULT_MEMORY_MB = 1024;

const summaries: Record<FileCommand, string> = {
  clean: 'write clean copies: without metadata, faces pixelated',
  inspect: 'tell what files give away',
  detect: 'count faces, or list them with --json',
  check: 'list metadata blocks; fails where there is any',
};

/** Adds a command to the program. @param take called with the parsed request */
export function addFileCommand(
  program: Command,
  name: FileCommand,
  take: (invocation: Invocation) => void,
): void {
  const options = opOptions(name);
  const command = program
    .command(name)
    .summary(summaries[name])
    .description(`${summaries[name][0]!.toUpperCase()}${summaries[name].slice(1)}.`)
    .argument('<input...>', 'files, folders with all in them, patterns in quotes, - for standard input');
  addOpOptions(command, options);
  if (name === 'clean') addOutputOptions(command);
  if (name !== 'inspect') addDetectorOption(command);
  command
    .option(
      '--exclude <glob>',
      'leave out files and folders of that name, or, with a slash, of that path below the folder ' +
        'that was named. May be given several times.',
      (text: string, before: string[] = []) => [...before, text],
    )
    .addOption(
      name === 'check'
        ? new Option('--format <name>', 'what is printed: lines, lines of JSON, or one SARIF 2.1.0 document')
            .choices(['text', 'json', 'sarif'])
            .default('text')
        : new Option('--json', 'print a line of JSON for each file'),
    )
    .option('-q, --quiet', 'no progress and no summary; complaints remain')
    .option('-j, --jobs <n>', 'worker threads (default: as many as cores and memory allow)', wholeNumber)
    .option('--memory <mb>', 'megabytes for images, all threads together', wholeNumber, DEFAULT_MEMORY_MB)
    .addHelpText('after', `\n${exitCodes}\n${examples(name)}`)
    .action((inputs: string[], values: Record<string, unknown>) => {
      const report = name === 'check' ? (values.format as Invocation['report']) : 'text';
      const asked = name === 'check' ? undefined : values.format;
      const format = asked === 'jpg' ? 'jpeg' : (asked as Invocation['format']);
      const known = { ...values, format: format === 'same' ? undefined : format };
      const ops = opsOf(options, (flag) => (known as Record<string, unknown>)[memberOf(flag)]);
      const caps = Object.fromEntries(CAPS.map(({ flag }) => [memberOf(flag), values[memberOf(flag)]]));
      const faults = [...opFaults(name, options, ops), ...(name === 'clean' ? capFaults(caps) : [])];
      const where = values.output as string | undefined;
      const streamFault = standardStreamFault(name, inputs, where, values.json === true);
      if (streamFault) faults.push(streamFault);
      if (faults.length > 0) command.error(faults.map((fault) => `error: ${fault}`).join('\n'));
      take({
        command: name,
        inputs,
        ops,
        format,
        cap: caps,
        output: where,
        isNeutral: values.names === 'neutral',
        dryRun: values.dryRun === true,
        detectors: (values.detector as string[] | undefined) ?? [],
        exclude: (values.exclude as string[] | undefined) ?? [],
        existing: values.force === true ? 'replace' : values.skipExisting === true ? 'skip' : 'refuse',
        json: values.json === true || report === 'json',
        report,
        quiet: values.quiet === true,
        jobs: values.jobs as number | undefined,
        memory: values.memory as number,
      });
    });
}

/** The problems that the schema finds in ops. */
function opFaults(name: FileCommand, options: readonly OpOption[], ops: unknown): string[] {
  const valid = validateOps<z.core.$ZodType>(opsSchemas[name], ops);
  return valid.ok ? [] : valid.issues.map(({ path, message }) => `${flagOf(options, path)}: ${message}`);
}

/** Caps have the bounds of `output.maxWidth`, which they become. */
const capFaults = (caps: Readonly<Record<string, unknown>>): string[] =>
  CAPS.flatMap(({ flag }) =>
    opFaults('clean', [{ ...maxWidth, flag }], { output: { maxWidth: caps[memberOf(flag)] } }),
  );

/** Refuses to use one standard stream for two things. @returns the problem, if there is one */
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

/** The member name under which commander stores an option's value. */
const memberOf = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The option that an issue refers to. */
function flagOf(options: readonly OpOption[], path: string): string {
  const option = options.find(({ path: at }) => `${path}.`.startsWith(`${at.join('.')}.`));
  return option ? `--${option.flag}` : path;
}
