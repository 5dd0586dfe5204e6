import type { Flag, FlagTable } from '../arguments/flag.ts';
import { globalFlags } from '../arguments/global-flags.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';

/** The command whose name the words begin with: the longest. */
export function findCommand(words: readonly string[]): Command | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((part, index) => words[index] === part))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** The commands of which a word is the first: `auth`. */
export function findFamily([first, ...rest]: readonly string[]): Command[] {
  return rest.length > 0 ? [] : commands.filter(({ name }) => name.startsWith(`${first} `));
}

/** The flags of all commands, to tell words from the values of flags before the command is found, which reads the values. */
export function everyFlag(): FlagTable & typeof globalFlags {
  const unread: Record<string, Flag<unknown>> = {};
  for (const { flags } of commands)
    for (const [name, flag] of Object.entries(flags)) unread[name] = { ...flag, parse: texts => texts };
  return { ...unread, ...globalFlags };
}
