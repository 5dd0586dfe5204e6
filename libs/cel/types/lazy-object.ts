import type { JsonObject } from '@binnacle/api-objects';
import { fieldNameFromMember } from './field-names.ts';
import type { CelType, ObjectField, ObjectType } from './type.ts';

/** The parts of an object. */
interface ObjectParts {
  readonly name: string;
  /** Members with their types, found when one is first asked for; those that expressions cannot reach are left out. */
  readonly members: () => Iterable<readonly [string, CelType]>;
  readonly origin?: JsonObject;
}

/** An object whose fields are resolved at the first access: the types below it may be many, or itself. */
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
