/** A flag of a program: its description, default and parser. */
export interface Flag<T> {
  readonly description: string;
  /** Placeholder of the value in the help text, such as `duration`; empty for boolean flags. */
  readonly placeholder: string;
  /** Heading of the flag in the help text; default: `Flags`. */
  readonly group?: string;
  /** Whether the flag is accepted only on the command line, not as an environment variable or in the file. Default: false. */
  readonly isArgumentOnly?: boolean;
  /** Whether the flag may be given several times. */
  readonly repeatable: boolean;
  readonly required: boolean;
  /** The value of a flag that is not given. */
  readonly defaultValue: T;
  /** The default in the help text. */
  readonly defaultText: string;
  /** Parses the given texts, one for each use; throws an `Error` with the problem. */
  parse(texts: readonly string[]): T;
}

/** Options of any flag; without `default`, a flag that is not given is undefined. */
interface FlagOptions<T> {
  readonly description: string;
  readonly default?: T;
  /** Whether the program refuses to start without the flag. */
  readonly required?: boolean;
}

type WithDefault<T> = FlagOptions<T> & ({ readonly default: T } | { readonly required: true });

/** Sets the heading of flags in the help text; flags that have a group keep it. */
export function flagGroup<Spec extends Readonly<Record<string, Flag<unknown>>>>(
  group: string,
  flags: Spec,
): Spec {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { group, ...flag }])) as Spec;
}

/** A flag with a text value. */
export function stringFlag(options: WithDefault<string>): Flag<string>;
export function stringFlag(options: FlagOptions<string>): Flag<string | undefined>;
export function stringFlag(options: FlagOptions<string>): Flag<string | undefined> {
  return single(options, 'text', text => text);
}

/** A flag whose value is one of the given texts. */
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

/** A boolean flag: `--x`, `--x=true`, `--x=false`; default: false. */
export function booleanFlag(options: FlagOptions<boolean>): Flag<boolean> {
  const flag = single({ default: false, ...options }, '', text => {
    if (text === 'true' || text === '1' || text === '') return true;
    if (text === 'false' || text === '0') return false;
    throw new Error('must be true or false');
  });
  return flag as Flag<boolean>;
}

/** A boolean flag without a default: undefined if it is not given. */
export function optionalBooleanFlag(options: { readonly description: string }): Flag<boolean | undefined> {
  return { ...booleanFlag(options), defaultValue: undefined, defaultText: '' };
}

/** Bounds of a number. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** A flag with an integer value. */
export function integerFlag(options: WithDefault<number> & Bounds): Flag<number>;
export function integerFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined>;
export function integerFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined> {
  return single(options, 'number', text => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Error('must be a whole number');
    return within(value, options);
  });
}

/** A flag with a number that may have a fraction, written in decimals. */
export function decimalFlag(options: WithDefault<number> & Bounds): Flag<number> {
  const flag = single(options, 'number', text => {
    if (!/^(\d+\.?\d*|\.\d+)$/.test(text)) throw new Error('must be a number such as 0.001');
    return within(Number(text), options);
  });
  return flag as Flag<number>; // It has a default, or is required.
}

/** A flag with a TCP port; 0 chooses a free port. */
export function portFlag(options: WithDefault<number>): Flag<number> {
  return { ...integerFlag({ ...options, min: 0, max: 65535 }), placeholder: 'port' };
}

/** A flag with a duration, such as `1h30m`, `5s` or `250ms`; its value is in ms. */
export function durationFlag(options: WithDefault<number> & Bounds): Flag<number>;
export function durationFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined>;
export function durationFlag(options: FlagOptions<number> & Bounds): Flag<number | undefined> {
  const flag = single(options, 'duration', text => within(parseDuration(text), options));
  return { ...flag, defaultText: options.default === undefined ? '' : formatDuration(options.default) };
}

/** A flag with a list of texts, separated by commas or given in several uses. */
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

/** Parses `1h30m`, `5s`, `1.5s`, `250ms` or `0` to milliseconds; throws an Error for any other text. */
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
