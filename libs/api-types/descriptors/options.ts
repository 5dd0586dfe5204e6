import type protobuf from 'protobufjs';

/** The custom options of one message or field: values by option name, in the order of the file. */
export type OptionValues = ReadonlyMap<string, readonly unknown[]>;

const none: OptionValues = new Map();

/** Collects the custom options of a message or field; `(list_type)` is found under `list_type`. */
export function readOptions(reflected: protobuf.ReflectionObject): OptionValues {
  if (!reflected.parsedOptions) return none;
  const values = new Map<string, unknown[]>();
  for (const option of reflected.parsedOptions as readonly Record<string, unknown>[]) {
    for (const [key, value] of Object.entries(option)) {
      const name = key.replace(/[()]/g, '');
      const list = values.get(name);
      if (list) list.push(value);
      else values.set(name, [value]);
    }
  }
  return values;
}

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
