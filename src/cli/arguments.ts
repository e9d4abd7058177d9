import { Command, CommanderError, type Option } from 'commander';
import { addFileCommand, type Invocation } from './file_command.ts';
import { isOpposable } from './file_options.ts';
import { examples, exitCodes, introduction } from './help.ts';
import { fileCommands } from './op_options.ts';
import { printable, printableLines } from './printable.ts';

/**
 * The meaning of the arguments: work on files, the local service, tools for models, or a text to print with
 * the exit code that follows it.
 */
export type Asked =
  | { readonly files: Invocation }
  | { readonly serve: readonly string[] }
  | { readonly mcp: readonly string[] }
  | { readonly text: string; readonly exitCode: 0 | 2 };

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
      optionTerm: (option: Option) =>
        isOpposable(option) ? `${option.flags}, --no-${option.name()}` : option.flags,
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
  program
    .command('mcp')
    .argument('<folder...>', 'folders whose files may be read and written')
    .summary('serve the tools for language models over standard input and output')
    .description(
      'Serves the tools for language models (Model Context Protocol) over standard input and output. Files are ' +
        'named by paths within the folders; nothing is replaced, and nothing is sent anywhere.',
    )
    .action((mcp: string[]) => {
      asked = { mcp };
    });
  try {
    program.parse(given.length === 0 ? ['--help'] : given, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { text, exitCode: 0 };
    return { text: `${printableCall(text.trimEnd(), given)}See image-sanitizer --help\n`, exitCode: 2 };
  }
  // The parser either ended the program or read a command.
  return asked!;
}

/** Messages repeat arguments, and a shell's pattern may have put file names among these. */
function printableCall(text: string, given: readonly string[]): string {
  const shown = given.reduce((left, one) => {
    const value = one.slice(one.indexOf('=') + 1);
    return left.replaceAll(one, printable(one)).replaceAll(value, printable(value));
  }, text);
  return printableLines(shown.split('\n'));
}
