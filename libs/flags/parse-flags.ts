import { parseArgs } from 'node:util';
import { errorMessage } from '@binnacle/status-errors';
import type { Flag } from './flag.ts';

/** The flags of a program by their camel-case names: `historyWindow` is `--history-window`. */
export interface FlagSpec {
  readonly [name: string]: Flag<unknown>;
}

/** The values of the flags of a spec, each under the name of its flag: settings have these types. Durations are milliseconds. */
export type FlagValues<Spec extends FlagSpec> = {
  readonly [Name in keyof Spec]: Spec[Name] extends Flag<infer Value> ? Value : never;
};

/** The command line or the environment is invalid: the message is for the user who started the program. */
export class FlagError extends Error {
  override readonly name: string = 'FlagError';
}

/** The user passed `--help`: the message is the help text. */
export class HelpRequested extends FlagError {
  override readonly name = 'HelpRequested';
}

/**
 * Reads the flags of a program from its arguments and, where those are silent, from the environment.
 *
 * `--history-window 5m`, `--history-window=5m` and `BINNACLE_HISTORY_WINDOW=5m` say the same. Unknown flags, stray
 * arguments, repeated and missing values are refused by name with a `FlagError`; `--help` throws `HelpRequested`.
 */
export function parseFlags<Spec extends FlagSpec>(
  spec: Spec,
  argv: readonly string[] = process.argv.slice(2),
  env: Readonly<Record<string, string | undefined>> = process.env,
): FlagValues<Spec> {
  const given = readArguments(spec, argv);
  const values = Object.entries(spec).map(([name, flag]) => [
    name,
    flagValue(name, flag, { texts: given.get(name), env }),
  ]);
  return Object.fromEntries(values) as FlagValues<Spec>;
}

/**
 * The values of a spec that code gives instead of a command line: defaults for what is not given. What is no flag of the
 * spec is left out. Throws a `FlagError` when a required flag is not given.
 */
export function settingsFrom<Spec extends FlagSpec>(
  spec: Spec,
  given: Partial<FlagValues<Spec>> = {},
): FlagValues<Spec> {
  const missing = Object.entries(spec).filter(([name]) => !Object.hasOwn(given, name));
  const values = Object.entries(given).filter(([name]) => Object.hasOwn(spec, name));
  return {
    ...parseFlags(Object.fromEntries(missing), [], {}),
    ...Object.fromEntries(values),
  } as FlagValues<Spec>;
}

/** The help text of a spec. */
function flagsHelp(spec: FlagSpec): string {
  const lines = Object.entries(spec).flatMap(([name, flag]) => {
    const head = `  --${flagName(name)}${flag.placeholder === '' ? '' : ` <${flag.placeholder}>`}`;
    const notes = [
      ...(flag.required ? ['required'] : []),
      ...(flag.defaultText === '' ? [] : [`default: ${flag.defaultText}`]),
      environmentName(name),
    ];
    return [head, `      ${flag.description} (${notes.join('; ')})`];
  });
  return ['Flags:', ...lines, '  --help', '      Shows this text.'].join('\n');
}

/** `historyWindow` → `history-window`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** `historyWindow` → `BINNACLE_HISTORY_WINDOW`. */
export function environmentName(name: string): string {
  return `BINNACLE_${flagName(name).replaceAll('-', '_').toUpperCase()}`;
}

function readArguments(spec: FlagSpec, argv: readonly string[]): Map<string, string[]> {
  const names = new Map(Object.keys(spec).map(name => [flagName(name), name]));
  const given = new Map<string, string[]>();
  for (const token of tokenize(spec, argv)) {
    if (token.kind !== 'option' || !token.rawName.startsWith('--')) {
      if (token.kind === 'option' && token.rawName === '-h') throw new HelpRequested(flagsHelp(spec));
      throw new FlagError(`unexpected argument "${argv[token.index] ?? ''}"; see --help`);
    }
    const name = names.get(token.name);
    const flag = name === undefined ? undefined : spec[name];
    if (name === undefined || !flag) {
      if (token.name === 'help') throw new HelpRequested(flagsHelp(spec));
      throw new FlagError(`unknown flag --${token.name}; see --help`);
    }
    const text = token.value ?? (flag.placeholder === '' ? '' : undefined);
    if (text === undefined) throw new FlagError(`--${token.name} needs a value`);
    const texts = given.get(name) ?? [];
    if (texts.length > 0 && !flag.repeatable) throw new FlagError(`--${token.name} is given more than once`);
    given.set(name, [...texts, text]);
  }
  return given;
}

/** The arguments as Node's parser divides them; what they mean, and what is refused, is decided here. */
function tokenize(spec: FlagSpec, argv: readonly string[]) {
  const options = Object.entries(spec).map(([name, { placeholder }]) => [
    flagName(name),
    { type: placeholder === '' ? ('boolean' as const) : ('string' as const) },
  ]);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options) as Record<string, { type: 'boolean' | 'string' }>,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

interface Given {
  readonly texts: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function flagValue(name: string, flag: Flag<unknown>, { texts, env }: Given): unknown {
  const fromEnvironment = env[environmentName(name)];
  const source = texts ? `--${flagName(name)}` : environmentName(name);
  const given = texts ?? (fromEnvironment === undefined ? undefined : [fromEnvironment]);
  if (!given) {
    if (flag.required) throw new FlagError(`--${flagName(name)} (or ${environmentName(name)}) must be given`);
    return flag.defaultValue;
  }
  try {
    return flag.parse(given);
  } catch (error) {
    throw new FlagError(`${source} ${errorMessage(error)}`);
  }
}
