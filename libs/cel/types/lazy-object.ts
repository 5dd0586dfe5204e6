import type { JsonObject } from '@binnacle/api-objects';
import { keywords, reservedWords } from './reserved-words.ts';
import type { CelType, ObjectField, ObjectType } from './type.ts';

/** Parts of an object type. */
interface ObjectParts {
  readonly name: string;
  /** Lists members with their types at the first access; members that expressions cannot access are left out. */
  readonly members: () => Iterable<readonly [string, CelType]>;
  readonly origin?: JsonObject;
}

/** Creates an object type whose fields are resolved at the first access, because its nested types may be numerous or recursive. */
export function lazyObject({ name, members, origin }: ObjectParts): ObjectType {
  let fields: ReadonlyMap<string, ObjectField> | undefined;
  return {
    kind: 'object',
    name,
    ...(origin && { origin }),
    field: fieldName => {
      fields ??= collectFields(members());
      return fields.get(fieldName);
    },
  };
}

function collectFields(members: Iterable<readonly [string, CelType]>): Map<string, ObjectField> {
  const fields = new Map<string, ObjectField>();
  for (const [member, type] of members) {
    const name = fieldNameFromMember(member);
    if (name !== undefined) fields.set(name, { type, member });
  }
  return fields;
}

const accessible = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;
const escapedParts = /__|[./-]/g;

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * Returns the name of an object's member in expressions; undefined for a member that expressions cannot access (specification 2,
 * "Expression language").
 */
export function fieldNameFromMember(member: string): string | undefined {
  if (keywords.has(member) || reservedWords.has(member)) return `__${member}__`;
  if (!accessible.test(member)) return undefined;
  return member.replaceAll(escapedParts, part => escapes[part] ?? part);
}
