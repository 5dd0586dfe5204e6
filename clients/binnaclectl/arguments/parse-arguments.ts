import { parseArgs } from 'node:util';
import { suggestion } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { UsageError } from '../output/errors.ts';
import type { Flag, FlagTable, FlagValues } from './flag.ts';

/** The parsed command line of a command. */
interface Arguments<Table extends FlagTable> {
  readonly flags: FlagValues<Table>;
  /** Words that are no flags, in order. */
  readonly words: readonly string[];
}

/**
 * Reads a command line as kubectl reads its own: flags anywhere, `--name value`, `--name=value`, `-n value`, `-n=value`,
 * `-nvalue`, switches together (`-wA`), `--` before words that begin with a dash. Throws a `UsageError`, which suggests a flag of
 * `suggested` for a similar one that is unknown.
 */
export function parseArguments<Table extends FlagTable>(
  table: Table,
  argv: readonly string[],
  suggested: FlagTable = table,
): Arguments<Table> {
  const names = new Map(Object.keys(table).map(name => [flagName(name), name]));
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of parseTokens(table, argv)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const name = names.get(token.name);
    const flag = name === undefined ? undefined : table[name];
    if (name === undefined || flag === undefined)
      throw new UsageError(unknownFlag(token.rawName, Object.keys(suggested).map(flagName)));
    const text = token.inlineValue ? withoutEquals(token.rawName, token.value) : token.value;
    const value = text ?? flag.bare;
    if (value === undefined) throw new UsageError(`flag needs an argument: ${token.rawName}`);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  const values = Object.entries(table).map(([name, flag]) => [name, flagValue(name, flag, given.get(name))]);
  return { flags: Object.fromEntries(values) as FlagValues<Table>, words }; // Each name with what its flag gives.
}

/** `fieldSelector` → `field-selector`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

function flagValue(name: string, flag: Flag<unknown>, texts: readonly string[] | undefined): unknown {
  if (texts === undefined) return flag.defaultValue;
  try {
    return flag.parse(texts);
  } catch (error) {
    throw new UsageError(`--${flagName(name)} ${errorMessage(error)}`);
  }
}

function parseTokens(table: FlagTable, argv: readonly string[]) {
  const options = Object.entries(table).map(([name, { short, bare }]) => [
    flagName(name),
    { type: bare === undefined ? 'string' : 'boolean', ...(short !== undefined && { short }) },
  ]);
  const { tokens } = parseArgs({
    args: [...argv],
    // Entries of just this form, made above.
    options: Object.fromEntries(options) as Record<string, { type: 'boolean' | 'string'; short?: string }>,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function unknownFlag(rawName: string, known: readonly string[]): string {
  return rawName.startsWith('--')
    ? `unknown flag: ${rawName}${suggestion('--', rawName.slice(2), known)}`
    : `unknown shorthand flag: '${rawName.slice(1)}' in ${rawName}`;
}

/** Node's parser gives `-n=x` the value `=x`. */
function withoutEquals(rawName: string, value: string | undefined): string | undefined {
  return !rawName.startsWith('--') && value?.startsWith('=') ? value.slice(1) : value;
}
