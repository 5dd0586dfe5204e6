import { versionLine } from '@binnacle/build-info';
import type { Flag, FlagTable } from './arguments/flag.ts';
import { globalFlags } from './arguments/global-flags.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import type { Command } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { commandHelp, generalHelp } from './commands/help.ts';
import { errorText, UsageError } from './output/errors.ts';
import type { Terminal } from './session/terminal.ts';

/** Runs a command line and resolves with its exit code. Failures are written to the error output, without a stack. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let command = findCommand(argv);
  try {
    const { flags, words } = parseArguments(everyFlag(), argv);
    if (flags.version && words.length === 0) {
      await terminal.out(`${versionLine('binnaclectl')}\n`);
      return 0;
    }
    if (words[0] === 'help') return await showHelp(words.slice(1), terminal);
    command = findCommand(words);
    const isFamily = command === undefined && findFamily(words).length > 0;
    if (flags.help || words.length === 0 || isFamily) return await showHelp(words, terminal);
    if (command === undefined) throw new UsageError(`unknown command "${words.join(' ')}" for "binnaclectl"`);
    return await command.run(argv, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return 1;
    terminal.err(`${errorText(error)}\n`);
    if (error instanceof UsageError)
      terminal.err(`See 'binnaclectl ${command ? `${command.name} ` : ''}--help' for help.\n`);
    return command?.failureCode ?? 1;
  }
}

/** The command whose name the words begin with: the longest. */
function findCommand(words: readonly string[]): Command | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((part, index) => words[index] === part))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** The commands of which a word is the first: `auth`. */
function findFamily([first, ...rest]: readonly string[]): Command[] {
  return rest.length > 0 ? [] : commands.filter(({ name }) => name.startsWith(`${first} `));
}

/** The flags of all commands, to tell words from the values of flags before the command is found, which reads the values. */
function everyFlag(): FlagTable & typeof globalFlags {
  const unread: Record<string, Flag<unknown>> = {};
  for (const { flags } of commands)
    for (const [name, flag] of Object.entries(flags)) unread[name] = { ...flag, parse: texts => texts };
  return { ...unread, ...globalFlags };
}

async function showHelp(words: readonly string[], terminal: Terminal): Promise<number> {
  const command = findCommand(words);
  const family = findFamily(words);
  if (words.length > 0 && command === undefined && family.length === 0)
    throw new UsageError(`unknown command "${words.join(' ')}" for "binnaclectl"`);
  await terminal.out(
    command === undefined ? generalHelp(words.length > 0 ? family : commands) : commandHelp(command),
  );
  return 0;
}
