import { type ApiObject, duplicateField, type FieldError, fieldPath } from '@binnacle/api-objects';
import type { KindRules } from '../definitions.ts';
import { asList, asObjects, asText } from '../json-access.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { canonicalizeWebhookGroups } from './webhook-rules.ts';
import { webhookErrors } from './webhooks.ts';

/** The rules of ValidatingWebhookConfiguration objects. */
export const validatingWebhookConfigurationRules: KindRules = {
  generation: true,
  applyDefaults: canonicalizeWebhookGroups,
  validate,
  columns: [nameColumn, column('Webhooks', 'The number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object, now) => [nameOf(object), asList(object['webhooks']).length, ageOf(object, now)],
};

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('webhooks');
  const names = new Set<string>();
  return asObjects(object['webhooks']).flatMap((webhook, index) => {
    const errors = webhookErrors(webhook, path.index(index));
    const name = asText(webhook['name']);
    if (name !== '' && names.has(name)) errors.push(duplicateField(path.index(index).child('name'), name));
    names.add(name);
    return errors;
  });
}
