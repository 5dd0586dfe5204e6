import { duplicateField, type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../generated/admissionregistration/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { webhookErrors } from './webhooks.ts';

type WebhookConfiguration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/** The rules of webhook configurations of both kinds; `reinvocationPolicy` is a closed set of the proto. */
export const webhookConfigurationRules: KindRules<WebhookConfiguration> = {
  unconditionalUpdate: false,
  generation: true,
  validate,
  columns: [nameColumn, column('Webhooks', 'The number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object, now) => [nameCell(object), (object.webhooks ?? []).length, ageCell(object, now)],
  authored,
};

/** The authorities of the webhooks are left out: others than the author of a configuration keep them up to date. */
function authored({ webhooks = [] }: WebhookConfiguration): JsonValue {
  return webhooks.map(({ clientConfig: { caBundle: _, ...clientConfig } = {}, ...webhook }) => ({
    ...webhook,
    clientConfig,
  })) as JsonValue[]; // an object of the API is JSON
}

function validate({ webhooks }: WebhookConfiguration): FieldError[] {
  const names = new Set<string>();
  return (webhooks ?? []).flatMap((webhook, index) => {
    const path = fieldPath('webhooks').index(index);
    const { name = '' } = webhook;
    const isRepeated = !addName(names, name);
    return [
      ...webhookErrors(webhook, path),
      ...(isRepeated ? [duplicateField(path.child('name'), name)] : []),
    ];
  });
}

/** False when the name was there. */
function addName(names: Set<string>, name: string): boolean {
  if (name === '') return true;
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
