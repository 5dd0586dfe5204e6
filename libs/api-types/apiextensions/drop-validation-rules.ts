import { extensions } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.ts';
import { asList, asObject, asObjects } from '../values/json-access.ts';

const rules = extensions.validations;

/** Removes the validation rules from every schema of a definition, unless the stored definition has rules. */
export function dropValidationRules(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): void {
  if (old !== undefined && collectSchemas(old).some(schema => visitRules(schema, () => {}))) return;
  for (const schema of collectSchemas(object)) visitRules(schema, holder => delete holder[rules]);
}

function collectSchemas(definition: CustomResourceDefinition): (JsonValue | undefined)[] {
  return asObjects(definition.spec?.versions).map(
    version => asObject(version['schema'])?.['openAPIV3Schema'],
  );
}

/** Visits every schema with rules and returns whether there is one. */
function visitRules(
  schema: JsonValue | undefined,
  visit: (holder: Record<string, JsonValue | undefined>) => void,
): boolean {
  let found = false;
  const open = [schema];
  while (open.length > 0) {
    const next = asObject(open.pop());
    if (next === undefined) continue;
    if (Object.hasOwn(next, rules)) {
      found = true;
      visit(next);
    }
    open.push(...schemasBelow(next));
  }
  return found;
}

function* schemasBelow(schema: Record<string, JsonValue | undefined>): Iterable<JsonValue | undefined> {
  yield* [schema['not'], schema['additionalProperties'], schema['additionalItems']];
  for (const key of ['allOf', 'anyOf', 'oneOf']) yield* asList(schema[key]);
  const { items } = schema;
  if (Array.isArray(items)) yield* items;
  else yield items;
  for (const key of ['properties', 'patternProperties', 'definitions', 'dependencies'])
    yield* Object.values(asObject(schema[key]) ?? {});
}
