import {
  type ApiObject,
  duplicateField,
  type FieldError,
  fieldPath,
  type JsonObject,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asList, asObjects, asText } from '../values/json-access.ts';
import { canonicalizeWebhookGroups } from './webhook-rules.ts';
import { webhookErrors } from './webhooks.ts';

/** The rules that webhook configurations of both kinds have in common. */
export const webhookConfigurationRules: KindRules = {
  unconditionalUpdate: false,
  generation: true,
  applyDefaults: canonicalizeWebhookGroups,
  validate,
  columns: [nameColumn, column('Webhooks', 'The number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object, now) => [nameOf(object), asList(object['webhooks']).length, ageOf(object, now)],
};

function validate(object: ApiObject): FieldError[] {
  const names = new Set<string>();
  return asObjects(object['webhooks']).flatMap((webhook, index) => {
    const path = fieldPath('webhooks').index(index);
    const isRepeated = !addName(names, webhook);
    return [
      ...webhookErrors(webhook, path),
      ...(isRepeated ? [duplicateField(path.child('name'), asText(webhook['name']))] : []),
    ];
  });
}

/** False when the name was there. */
function addName(names: Set<string>, webhook: JsonObject): boolean {
  const name = asText(webhook['name']);
  if (name === '') return true;
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
