import {
  duplicateField,
  type FieldError,
  type FieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateDns1035Label,
  validateFullyQualifiedName,
  validateLabelSelector,
} from '@binnacle/api-objects';
import type { MutatingWebhook, ValidatingWebhook } from '../generated/admissionregistration/v1.ts';
import { clientConfigErrors } from './client-config.ts';
import { webhookRuleErrors } from './webhook-rules.ts';

const reviewVersions = ['v1', 'v1beta1'];
const allowedSideEffects = ['None', 'NoneOnDryRun'];

type Webhook = ValidatingWebhook | MutatingWebhook;

/** Validates one webhook of a configuration; closed sets of values are validated elsewhere. */
export function webhookErrors(webhook: Webhook, path: FieldPath): FieldError[] {
  const name = webhook.name ?? '';
  return [
    ...validateFullyQualifiedName(name).map(message => invalidField(path.child('name'), name, message)),
    ...(webhook.rules ?? []).flatMap((rule, index) =>
      webhookRuleErrors(rule, path.child('rules').index(index)),
    ),
    ...sideEffectErrors(webhook, path.child('sideEffects')),
    ...timeoutErrors(webhook.timeoutSeconds, path.child('timeoutSeconds')),
    ...(['namespaceSelector', 'objectSelector'] as const).flatMap(field => {
      const selector = webhook[field];
      return selector ? validateLabelSelector(selector, path.child(field)) : [];
    }),
    ...clientConfigErrors(webhook.clientConfig ?? {}, path.child('clientConfig')),
    ...reviewVersionErrors(webhook.admissionReviewVersions ?? [], path.child('admissionReviewVersions')),
  ];
}

function sideEffectErrors(webhook: Webhook, path: FieldPath): FieldError[] {
  const value = webhook.sideEffects ?? '';
  if (value === '') return [requiredField(path, `must be one of ${allowedSideEffects.join(', ')}`)];
  return value === 'Some' || value === 'Unknown' ? [notSupportedField(path, value, allowedSideEffects)] : [];
}

function timeoutErrors(value: number | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || (value >= 1 && value <= 30)) return [];
  return [invalidField(path, value, 'the timeout must be between 1 and 30 seconds')];
}

/** Validates the review versions that a webhook supports. */
export function reviewVersionErrors(versions: readonly string[], path: FieldPath): FieldError[] {
  if (versions.length === 0)
    return [requiredField(path, `must name at least one of ${reviewVersions.join(', ')}`)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    const found = validateDns1035Label(version).map(message =>
      invalidField(path.index(index), version, message),
    );
    if (seen.has(version)) found.push(duplicateField(path.index(index), version));
    seen.add(version);
    return found;
  });
  if (!versions.some(version => reviewVersions.includes(version)))
    errors.push(invalidField(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  return errors;
}
