import { versionLine } from '@binnacle/build-info';
import { suggestion } from '@binnacle/flags';
import { globalFlags } from './arguments/global-flags.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { commands } from './commands/commands.ts';
import { everyFlag, findCommand, findFamily } from './commands/find-command.ts';
import { commandHelp, generalHelp } from './commands/help.ts';
import { runCompletion } from './completion/run-completion.ts';
import { errorText, UsageError } from './output/errors.ts';
import type { Terminal } from './session/terminal.ts';

/** Runs a command line and resolves with its exit code. Failures are written to the error output, without a stack. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const completion = await runCompletion(argv, terminal);
  if (completion !== undefined) {
    await terminal.out(completion);
    return 0;
  }
  let command = findCommand(argv);
  try {
    const { flags, words } = parseArguments(
      everyFlag(),
      argv,
      command && { ...command.flags, ...globalFlags },
    );
    if (flags.version && words.length === 0) {
      await terminal.out(`${versionLine('binnaclectl')}\n`);
      return 0;
    }
    if (words[0] === 'help') return await showHelp(words.slice(1), terminal);
    command = findCommand(words);
    const isFamily = command === undefined && findFamily(words).length > 0;
    if (flags.help || words.length === 0 || isFamily) return await showHelp(words, terminal);
    if (command === undefined) throw unknownCommand(words);
    return await command.run(argv, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return 1;
    terminal.err(`${errorText(error)}\n`);
    if (error instanceof UsageError)
      terminal.err(`See 'binnaclectl ${command ? `${command.name} ` : ''}--help' for help.\n`);
    return command?.failureCode ?? 1;
  }
}

async function showHelp(words: readonly string[], terminal: Terminal): Promise<number> {
  const command = findCommand(words);
  const family = findFamily(words);
  if (words.length > 0 && command === undefined && family.length === 0) throw unknownCommand(words);
  await terminal.out(
    command === undefined ? generalHelp(words.length > 0 ? family : commands) : commandHelp(command),
  );
  return 0;
}

function unknownCommand(words: readonly string[]): UsageError {
  // Behind the name of a family, such as `auth`, the second word is the wrong one.
  const isFamily = findFamily(words.slice(0, 1)).length > 0;
  const name = words.slice(0, isFamily ? 2 : 1).join(' ');
  const known = commands.map(command => command.name);
  return new UsageError(`unknown command "${name}" for "binnaclectl"${suggestion('', name, known)}`);
}
