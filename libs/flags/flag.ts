/** One setting of a program: how it is written, described and defaulted. */
export interface Flag<T> {
  readonly description: string;
  /** Placeholder of the value in the help text: `duration`; empty for flags that need none. */
  readonly placeholder: string;
  /** Heading under which the help text shows the flag; default: that of flags without one. */
  readonly group?: string;
  /** Only the command line gives it, no variable and no file. Default: false. */
  readonly isArgumentOnly?: boolean;
  /** Repeated uses add up instead of being refused. */
  readonly repeatable: boolean;
  readonly required: boolean;
  /** The value when neither the command line nor the environment gives one. */
  readonly defaultValue: T;
  /** How the default is written. */
  readonly defaultText: string;
  /** Reads the texts given, one for each use; throws an `Error` that says what is wrong. */
  parse(texts: readonly string[]): T;
}

/** Options of any flag: a flag without `default` is undefined when it is not given. */
interface FlagOptions<T> {
  readonly description: string;
  readonly default?: T;
  /** The program does not start without it. */
  readonly required?: boolean;
}

type WithDefault<T> = FlagOptions<T> & ({ readonly default: T } | { readonly required: true });

/** Flags that the help text shows together, under a heading; those that have a group keep theirs. */
export function flagGroup<Spec extends Readonly<Record<string, Flag<unknown>>>>(
  group: string,
  flags: Spec,
): Spec {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { group, ...flag }])) as Spec;
}

/** A flag that takes any text. */
export function stringFlag(options: WithDefault<string>): Flag<string>;
export function stringFlag(options: FlagOptions<string>): Flag<string | undefined>;
export function stringFlag(options: FlagOptions<string>): Flag<string | undefined> {
  return single(options, 'text', text => text);
}

/** A flag that takes one of a few texts. */
export function choiceFlag<const T extends string>(
  choices: readonly T[],
  options: FlagOptions<NoInfer<T>> & { readonly default: NoInfer<T> },
): Flag<T> {
  const parse = (text: string): T => {
    const choice = choices.find(candidate => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
  return single(options, choices.join('|'), parse) as Flag<T>;
}

/** A flag that is on or off: `--x`, `--x=true`, `--x=false`; off by default. */
export function booleanFlag(options: FlagOptions<boolean>): Flag<boolean> {
  const flag = single({ default: false, ...options }, '', text => {
    if (text === 'true' || text === '1' || text === '') return true;
    if (text === 'false' || text === '0') return false;
    throw new Error('must be true or false');
  });
  return flag as Flag<boolean>;
}

/** A flag that is on, off, or left to the program by not being given. */
export function optionalBooleanFlag(options: { readonly description: string }): Flag<boolean | undefined> {
  return { ...booleanFlag(options), defaultValue: undefined, defaultText: '' };
}

/** Bounds of a number. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** A flag that takes a whole number. */
export function integerFlag(options: WithDefault<number> & Bounds): Flag<number>;
export function integerFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined>;
export function integerFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined> {
  return single(options, 'number', text => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Error('must be a whole number');
    return within(value, options);
  });
}

/** A flag that takes a TCP port; 0 takes a free one. */
export function portFlag(options: WithDefault<number>): Flag<number> {
  return { ...integerFlag({ ...options, min: 0, max: 65535 }), placeholder: 'port' };
}

/** A flag that takes a duration, `1h30m`, `5s`, `250ms`; its value is in milliseconds. */
export function durationFlag(options: WithDefault<number> & Bounds): Flag<number>;
export function durationFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined>;
export function durationFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined> {
  const flag = single(options, 'duration', text => within(parseDuration(text), options));
  return { ...flag, defaultText: options.default === undefined ? '' : formatDuration(options.default) };
}

/** A flag that takes texts, separated by commas, in several uses, or both. */
export function listFlag(options: FlagOptions<readonly string[]>): Flag<readonly string[]> {
  const { default: defaultValue = [] } = options;
  return {
    description: options.description,
    placeholder: 'text,...',
    repeatable: true,
    required: options.required ?? false,
    defaultValue,
    defaultText: defaultValue.join(','),
    parse: texts =>
      texts
        .flatMap(text => text.split(','))
        .map(text => text.trim())
        .filter(text => text !== ''),
  };
}

const unitMs: Record<string, number> = { h: 3600_000, m: 60_000, s: 1000, ms: 1 };

/** Reads `1h30m`, `5s`, `1.5s`, `250ms`, `0` as milliseconds; throws on anything else. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  if (parts.length === 0 || parts.map(part => part[0]).join('') !== text) {
    throw new Error('must be a duration such as 1h30m, 5s or 250ms');
  }
  return parts.reduce((sum, [, value, unit]) => sum + Number(value) * (unitMs[unit ?? ''] ?? 0), 0);
}

function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  const [unit, size] = Object.entries(unitMs).find(([, length]) => milliseconds % length === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

function within(value: number, { min, max }: Bounds): number {
  if (min !== undefined && value < min) throw new Error(`must be at least ${min}`);
  if (max !== undefined && value > max) throw new Error(`must be at most ${max}`);
  return value;
}

function single<T>(
  options: FlagOptions<T>,
  placeholder: string,
  parseText: (text: string) => T,
): Flag<T | undefined> {
  return {
    description: options.description,
    placeholder,
    repeatable: false,
    required: options.required ?? false,
    defaultValue: options.default,
    defaultText: options.default === undefined ? '' : String(options.default),
    parse: texts => parseText(texts.at(-1) ?? ''),
  };
}
