import { duplicateField, type FieldError, fieldPath, type JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../generated/admissionregistration/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { webhookErrors } from './webhooks.ts';

type WebhookConfiguration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/** The rules of both kinds of webhook configurations; the proto declares `reinvocationPolicy` as a closed set. */
export const webhookConfigurationRules: KindRules<WebhookConfiguration> = {
  unconditionalUpdate: false,
  generation: true,
  validate,
  columns: [nameColumn, column('Webhooks', 'The number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object, now) => [nameCell(object), (object.webhooks ?? []).length, ageCell(object, now)],
  authored,
};

/** Omits the CA bundles of the webhooks, which are kept up to date by others than the author. */
function authored({ webhooks = [] }: WebhookConfiguration): JsonValue {
  return webhooks.map(({ clientConfig: { caBundle: _, ...clientConfig } = {}, ...webhook }) => ({
    ...webhook,
    clientConfig,
  })) as JsonValue[]; // An API object is JSON.
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

/** Adds a name; returns false if it is a duplicate. */
function addName(names: Set<string>, name: string): boolean {
  if (name === '') return true;
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}
