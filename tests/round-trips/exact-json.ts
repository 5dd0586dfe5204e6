/** JSON as it is sent and read here: whole numbers that a double cannot hold are bigints. */
export type Value = null | boolean | number | bigint | string | Value[] | { [key: string]: Value };
export type ObjectValue = { [key: string]: Value };

/** Reads JSON without losing a digit of a whole number. */
export function parseExact(text: string): Value {
  const revive = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  return JSON.parse(text, revive) as Value;
}

/** Writes JSON with bigints as whole numbers. */
export function stringifyExact(value: Value): string {
  // The declarations of this version of TypeScript lack rawJSON.
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? rawJSON(String(member)) : member,
  );
}

export function isObjectValue(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path of keys; undefined where there is none. */
export function memberAt(value: Value | undefined, path: readonly (string | number)[]): Value | undefined {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObjectValue(found)) found = Object.hasOwn(found, step) ? found[step] : undefined;
    else return undefined;
  }
  return found;
}
