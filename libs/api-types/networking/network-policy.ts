import { copyJson, labelSelectorFrom } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { LabelSelector } from '../generated/meta/v1.ts';
import type { NetworkPolicy } from '../generated/networking/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { conditionsErrors } from '../values/condition-validation.ts';
import { networkPolicyErrors } from './network-policy-validation.ts';

/** The rules of NetworkPolicy objects. */
export const networkPolicyRules: KindRules<NetworkPolicy> = {
  generation: true,
  gatedRules: [{ gate: 'NetworkPolicyStatus', off: { prepareForUpdate: keepOrClearStatus } }],
  applyDefaults: applyPolicyTypes,
  validate: networkPolicyErrors,
  validateUpdate: (object, _old, subresource) =>
    subresource === 'status' ? conditionsErrors(object.status?.conditions ?? []) : [],
  columns: [nameColumn, column('Pod-Selector', 'The pods that the policy is for.'), ageColumn],
  cells: (object, now) => [nameCell(object), selectorText(object.spec?.podSelector), ageCell(object, now)],
};

/** Keeps or removes the conditions of the stored status; with the gate disabled they cannot be added or changed. */
function keepOrClearStatus(object: NetworkPolicy, old: NetworkPolicy, subresource: string): void {
  if (subresource !== 'status') return;
  const isCleared = (object.status?.conditions ?? []).length === 0;
  object.status = isCleared ? {} : copyJson(old.status ?? {});
}

/** Default policy types: Ingress, and Egress if there are egress rules. */
function applyPolicyTypes(object: NetworkPolicy): void {
  const spec = object.spec ?? {};
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** Formats a selector; `<none>` if it is absent, empty or invalid. */
function selectorText(selector: LabelSelector = {}): string {
  try {
    return labelSelectorFrom(selector).toString() || '<none>';
  } catch {
    return '<error>';
  }
}
