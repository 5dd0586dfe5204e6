import type { OptionValues } from './proto-message.ts';

/** Whether a boolean option is set. */
export function flag(options: OptionValues, name: string): boolean {
  return options[name]?.[0] === true;
}

/** The value of a text option, if set. */
export function text(options: OptionValues, name: string): string | undefined {
  const value = options[name]?.[0];
  return value === undefined ? undefined : String(value);
}

/** All values of a repeated text option. */
export function texts(options: OptionValues, name: string): string[] {
  return (options[name] ?? []).map(String);
}
