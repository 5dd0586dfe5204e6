import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { asObject, asObjects } from '../values/json-access.ts';
import { limitRangeErrors } from './limit-range-validation.ts';
import { specOf } from './service-facts.ts';

/** The rules of LimitRange objects. */
export const limitRangeRules: KindRules = {
  createOnUpdate: true,
  applyDefaults(object: ApiObject) {
    for (const item of asObjects(specOf(object)['limits']))
      if (item['type'] === 'Container') applyContainerDefaults(item);
  },
  validate: limitRangeErrors,
};

/** What a container gets that asks for nothing follows from what it may have at most, and must have at least. */
function applyContainerDefaults(item: JsonObject): void {
  fillIn(item, 'default', 'max');
  fillIn(item, 'defaultRequest', 'default');
  fillIn(item, 'defaultRequest', 'min');
}

function fillIn(item: JsonObject, field: string, source: string): void {
  const amounts = Object.entries(asObject(item[source]) ?? {});
  if (amounts.length > 0) item[field] = { ...Object.fromEntries(amounts), ...asObject(item[field]) };
}
