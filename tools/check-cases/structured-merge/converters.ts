import { isJsonObject, type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';

/** Converts the objects of a case between versions. */
interface Converter {
  knows(version: string): boolean;
  convert(object: JsonValue, from: string, to: string): JsonValue;
}

/** Every version is known, and the object is the same in all of them. */
const same: Converter = { knows: () => true, convert: object => object };

/** Names of fields that end with the version end with the other one instead. */
const renaming: Converter = {
  knows: () => true,
  convert: (object, from, to) =>
    renamed(object, key => (key.endsWith(from) ? key.slice(0, -from.length) + to : key)),
};

/** Below the topmost fields a name is one letter, as often as the number of the version says. */
const repeating: Converter = {
  knows: version => numberFromVersion(version) !== undefined,
  convert(object, _from, to) {
    const count = numberFromVersion(to) ?? 1;
    if (!isJsonObject(object)) return object;
    const repeat = (key: string) => (key[0] ?? '').repeat(count);
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, renamed(value, repeat)]));
  },
};

const reliantNames: Readonly<Record<string, readonly string[]>> = {
  v1: ['common_field', 'field_foo_rely_on_bar'],
  v2: ['common_field', 'required_field_bar'],
};

/** The second field has another name in each version, and is required in the first version. */
const reliant: Converter = {
  knows: version => version in reliantNames,
  convert(object, from, to) {
    const [before = [], after = []] = [reliantNames[from], reliantNames[to]];
    if (!isJsonObject(object) || from === to) return object;
    if (to === 'v1' && !Object.hasOwn(object, 'required_field_bar'))
      throw new Error('the object cannot be converted: required_field_bar is absent');
    const converted: JsonObject = {};
    for (const [key, value] of Object.entries(object))
      setOwnProperty(converted, after[before.indexOf(key)] ?? key, value);
    return converted;
  },
};

/** The converter that a case names; without a name the object stays as it is. */
export function converterNamed(name: string | undefined): Converter {
  switch (name) {
    case 'renaming':
      return renaming;
    case 'repeating':
      return repeating;
    case 'reliant':
      return reliant;
    default:
      return same;
  }
}

function numberFromVersion(version: string): number | undefined {
  const digits = /^v(\d)$/.exec(version)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function renamed(value: JsonValue, rename: (key: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map(item => renamed(item, rename));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [rename(key), renamed(member, rename)]),
  );
}
