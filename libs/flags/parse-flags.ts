import { parseArgs } from 'node:util';
import { errorMessage } from '@binnacle/status-errors';
import { closestMatch } from 'leven';
import type { Flag } from './flag.ts';

/** The flags of a program by their camel-case names: `historyWindow` is `--history-window`. */
export interface FlagSpec {
  readonly [name: string]: Flag<unknown>;
}

/** The values of the flags of a spec, by flag name. Durations are in ms. */
export type FlagValues<Spec extends FlagSpec> = {
  readonly [Name in keyof Spec]: Spec[Name] extends Flag<infer Value> ? Value : never;
};

/** The error for an invalid command line, environment or file; the message is for the user. */
export class FlagError extends Error {
  override readonly name: string = 'FlagError';
}

/** The user requested a text instead of a start, as with `--help`; the message is that text. */
export class TextRequested extends FlagError {
  override readonly name = 'TextRequested';
}

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A source of flags, such as the command line: their texts by camel-case name, one text for each use. */
export interface FlagSource {
  /** Returns the name of a flag in messages about this source: `--history-window`. */
  nameIn(name: string): string;
  textsOf(name: string): readonly string[] | undefined;
}

/**
 * Reads the flags of a program from its arguments, then from the environment.
 *
 * `--history-window 5m`, `--history-window=5m` and `BINNACLE_HISTORY_WINDOW=5m` are equivalent. A `FlagError` names an
 * unknown flag, an unexpected argument, and a repeated or missing value; `--help` throws `TextRequested`.
 */
export function parseFlags<Spec extends FlagSpec>(
  spec: Spec,
  argv: readonly string[] = process.argv.slice(2),
  env: Environment = process.env,
): FlagValues<Spec> {
  return readFlags(spec, [readArguments(spec, argv), environmentSource(env)]);
}

/** Reads the flags of a program, each from the first source that has it. */
export function readFlags<Spec extends FlagSpec>(
  spec: Spec,
  sources: readonly FlagSource[],
): FlagValues<Spec> {
  const values = Object.entries(spec).map(([name, flag]) => [name, readFlag(name, flag, sources)]);
  return Object.fromEntries(values) as FlagValues<Spec>;
}

/**
 * Returns the values of a spec from code instead of a command line, with defaults for missing flags. Values that are not
 * in the spec are ignored. Throws a `FlagError` if a required flag is missing.
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

/** Returns the help text of a spec: flags by group, in the order in which the groups first appear. */
function flagsHelp(spec: FlagSpec): string {
  const groups = Map.groupBy(Object.entries(spec), ([, { group = 'Flags' }]) => group);
  const sections = [...groups].map(([title, flags]) =>
    [`${title}:`, ...flags.flatMap(([name, flag]) => flagHelp(name, flag))].join('\n'),
  );
  return `${sections.join('\n\n')}\n  --help\n      This text.`;
}

function flagHelp(name: string, flag: Flag<unknown>): string[] {
  const head = `  --${flagName(name)}${flag.placeholder === '' ? '' : ` <${flag.placeholder}>`}`;
  const notes = [
    ...(flag.required ? ['required'] : []),
    ...(flag.defaultText === '' ? [] : [`default: ${flag.defaultText}`]),
    ...(flag.isArgumentOnly === true ? [] : [environmentName(name)]),
  ];
  return [head, `      ${flag.description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`];
}

/** Converts a flag name: `historyWindow` → `history-window`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Converts a flag name: `historyWindow` → `BINNACLE_HISTORY_WINDOW`. */
export function environmentName(name: string): string {
  return `BINNACLE_${flagName(name).replaceAll('-', '_').toUpperCase()}`;
}

/** Returns the name of a flag in messages to operators: `--history-window (BINNACLE_HISTORY_WINDOW)`. */
export function settingName(name: string): string {
  return `--${flagName(name)} (${environmentName(name)})`;
}

/** Creates the source of the command line. Throws a FlagError that names a flag that is not in the spec. */
export function readArguments(spec: FlagSpec, argv: readonly string[]): FlagSource {
  const names = new Map(Object.keys(spec).map(name => [flagName(name), name]));
  const given = new Map<string, string[]>();
  for (const token of tokenize(spec, argv)) {
    if (token.kind !== 'option' || !token.rawName.startsWith('--')) {
      if (token.kind === 'option' && token.rawName === '-h') throw new TextRequested(flagsHelp(spec));
      throw new FlagError(`unexpected argument "${argv[token.index] ?? ''}"; see --help`);
    }
    const name = names.get(token.name);
    const flag = name === undefined ? undefined : spec[name];
    if (name === undefined || !flag) {
      if (token.name === 'help') throw new TextRequested(flagsHelp(spec));
      throw new FlagError(
        `unknown flag --${token.name}${suggestion('--', token.name, [...names.keys()])}; see --help`,
      );
    }
    const text = token.value ?? (flag.placeholder === '' ? '' : undefined);
    if (text === undefined) throw new FlagError(`--${token.name} needs a value`);
    const texts = given.get(name) ?? [];
    if (texts.length > 0 && !flag.repeatable) throw new FlagError(`--${token.name} is given more than once`);
    given.set(name, [...texts, text]);
  }
  return { nameIn: name => `--${flagName(name)}`, textsOf: name => given.get(name) };
}

/** Returns a suggestion for an unknown name, if a known name is similar: ` (did you mean --history-window?)`. */
export function suggestion(prefix: string, name: string, known: readonly string[]): string {
  const third = Math.floor(name.length / 3);
  // Two letters in the wrong order are a distance of two.
  const maxDistance = name.length < 4 ? third : Math.max(2, third);
  const nearest = closestMatch(name, known, { maxDistance });
  return nearest === undefined ? '' : ` (did you mean ${prefix}${nearest}?)`;
}

/** Splits the arguments with Node's parser; the caller interprets and refuses them. */
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

/** Creates the source of the environment: one text for each flag. */
export function environmentSource(env: Environment): FlagSource {
  return {
    nameIn: environmentName,
    textsOf(name) {
      const text = env[environmentName(name)];
      return text === undefined ? undefined : [text];
    },
  };
}

function readFlag(name: string, flag: Flag<unknown>, sources: readonly FlagSource[]): unknown {
  for (const source of sources) {
    const texts = source.textsOf(name);
    if (texts === undefined) continue;
    try {
      return flag.parse(texts);
    } catch (error) {
      throw new FlagError(`${source.nameIn(name)} ${errorMessage(error)}`);
    }
  }
  if (flag.required) throw new FlagError(`${settingName(name)} must be given`);
  return flag.defaultValue;
}
