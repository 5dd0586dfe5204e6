import type { FlagTable } from '../arguments/flag.ts';
import { globalFlags } from '../arguments/global-flags.ts';
import { flagName } from '../arguments/parse-arguments.ts';
import type { Command } from './command.ts';

/** The help about commands: a summary of each. */
export function generalHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    'binnaclectl is the command-line client of Binnacle.',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Usage:',
    '  binnaclectl COMMAND [flags]',
    '',
    'Flags of every command:',
    ...flagLines(globalFlags),
    '',
    'See "binnaclectl COMMAND --help" for more about a command.',
    '',
  ].join('\n');
}

/** The help about one command. */
export function commandHelp({ name, usage, summary, examples, flags }: Command): string {
  const own = flagLines(flags);
  return [
    summary,
    '',
    'Usage:',
    `  binnaclectl ${[name, usage, '[flags]'].filter(part => part !== '').join(' ')}`,
    '',
    ...(examples.length > 0 ? ['Examples:', ...examples.map(example => `  binnaclectl ${example}`), ''] : []),
    ...(own.length > 0 ? ['Flags:', ...own, ''] : []),
    'Flags of every command: see "binnaclectl help".',
    '',
  ].join('\n');
}

function flagLines(table: FlagTable): string[] {
  const heads = Object.entries(table).map(
    ([name, { short, placeholder, description, defaultValue, bare }]) => {
      const letters = short === undefined ? '    ' : `-${short}, `;
      const value =
        placeholder === ''
          ? defaultValue === true
            ? '=true'
            : ''
          : `${bare === undefined ? ' ' : '='}${placeholder}`;
      return { head: `  ${letters}--${flagName(name)}${value}`, description };
    },
  );
  const width = Math.max(0, ...heads.map(({ head }) => head.length)) + 3;
  return heads
    .toSorted((a, b) => (a.head.slice(6) < b.head.slice(6) ? -1 : 1))
    .map(({ head, description }) => `${head.padEnd(width)}${description}`);
}
