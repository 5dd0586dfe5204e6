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

/** Takes out the members at a path of names, in every element of the lists on the way. */
export function removeAt(value: Value | undefined, [first = '', ...rest]: readonly string[]): void {
  if (Array.isArray(value)) for (const element of value) removeAt(element, [first, ...rest]);
  else if (isObjectValue(value) && rest.length === 0) Reflect.deleteProperty(value, first);
  else if (isObjectValue(value)) removeAt(value[first], rest);
}

/** A value without the members that protobuf cannot tell from those that are not there. */
export function withoutEmpty(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null && !isEmptyCollection(member)));
}

function isEmptyCollection(value: Value): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
