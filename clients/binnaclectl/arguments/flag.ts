import { parseDuration } from '@binnacle/api-objects';

/** One flag of a command: its short name, help and parser. */
export interface Flag<Value> {
  /** One letter: `n` for `-n`. */
  readonly short?: string;
  /** Placeholder of the value in the help; empty for a switch. */
  readonly placeholder: string;
  readonly description: string;
  readonly repeatable: boolean;
  /** The value of the flag that is given without one; such a flag takes a value only after `=`. */
  readonly bare?: string;
  /** Values that shells complete. */
  readonly values?: readonly string[];
  readonly defaultValue: Value;
  /** Reads the texts in the order given; throws an Error that goes on after the name of the flag. */
  readonly parse: (texts: readonly string[]) => Value;
}

/** The flags of a command by their names in code: `fieldSelector` is `--field-selector`. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The values of the flags of a table. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never;
};

interface FlagOptions {
  readonly short?: string;
  readonly placeholder?: string;
  readonly bare?: string;
  readonly values?: readonly string[];
}

/** A text; undefined when not given. */
export function textFlag(description: string, options: FlagOptions = {}): Flag<string | undefined> {
  return {
    placeholder: 'string',
    ...options,
    description,
    repeatable: false,
    defaultValue: undefined,
    parse: texts => last(texts),
  };
}

/** Texts, given one by one or divided by commas. */
export function textsFlag(description: string, options: FlagOptions = {}): Flag<readonly string[]> {
  return {
    placeholder: 'strings',
    ...options,
    description,
    repeatable: true,
    defaultValue: [],
    parse: texts => texts.flatMap(text => text.split(',')).filter(text => text !== ''),
  };
}

/** Yes or no. */
export function switchFlag(
  description: string,
  { defaultValue = false, ...options }: FlagOptions & { readonly defaultValue?: boolean } = {},
): Flag<boolean> {
  return {
    placeholder: '',
    bare: 'true',
    ...options,
    description,
    repeatable: false,
    defaultValue,
    parse(texts) {
      const text = last(texts);
      if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not "${text}"`);
      return text === 'true';
    },
  };
}

/** An integer of at least `least`; undefined when not given. */
export function integerFlag(
  description: string,
  { least = 0, ...options }: FlagOptions & { readonly least?: number } = {},
): Flag<number | undefined> {
  return {
    placeholder: 'integer',
    ...options,
    description,
    repeatable: false,
    defaultValue: undefined,
    parse(texts) {
      const number = /^-?\d{1,15}$/.test(last(texts)) ? Number(last(texts)) : Number.NaN;
      if (!(number >= least))
        throw new Error(`must be an integer of at least ${least}, not "${last(texts)}"`);
      return number;
    },
  };
}

/** A span of time in milliseconds, written `30s`, `1m30s` or as seconds; undefined when not given. */
export function durationFlag(
  description: string,
  { mayBeNegative = false, ...options }: FlagOptions & { readonly mayBeNegative?: boolean } = {},
): Flag<number | undefined> {
  return {
    placeholder: 'duration',
    ...options,
    description,
    repeatable: false,
    defaultValue: undefined,
    parse(texts) {
      const text = last(texts);
      const nanoseconds = parseDuration(/^-?\d{1,9}$/.test(text) ? `${text}s` : text);
      if (nanoseconds === undefined || (nanoseconds < 0 && !mayBeNegative))
        throw new Error(`must be a duration such as 30s or 1m30s, not "${text}"`);
      return nanoseconds / 1e6;
    },
  };
}

/** One of a few words; the first is the default unless another is named. */
export function choiceFlag<const Choice extends string>(
  description: string,
  choices: readonly Choice[],
  options: FlagOptions & { readonly defaultValue: Choice },
): Flag<Choice> {
  const { defaultValue, ...rest } = options;
  return {
    placeholder: choices.join('|'),
    values: choices,
    ...rest,
    description,
    repeatable: false,
    defaultValue,
    parse(texts) {
      const found = choices.find(choice => choice === last(texts));
      if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${last(texts)}"`);
      return found;
    },
  };
}

function last(texts: readonly string[]): string {
  return texts.at(-1) ?? '';
}
