import type { OptionValues } from './proto-file.ts';

/** Whether a boolean option is set. */
export function flag(options: OptionValues, name: string): boolean {
  return options.get(name)?.[0] === true;
}

/** The value of a text option, if set. */
export function text(options: OptionValues, name: string): string | undefined {
  const value = options.get(name)?.[0];
  return value === undefined ? undefined : String(value);
}

/** All values of a repeated text option. */
export function texts(options: OptionValues, name: string): string[] {
  return (options.get(name) ?? []).map(String);
}
