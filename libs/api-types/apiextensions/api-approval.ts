import { domains, understood } from '@binnacle/api-names';
import { type FieldError, fieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.ts';
import { isInDomain, isInReservedDomain } from '../group-names/reserved-domains.ts';
import type { DefinitionCondition } from './conditions.ts';

/** The state of a definition's approval annotation. */
interface Approval {
  readonly state: 'missing' | 'invalid' | 'approved' | 'bypassed';
  /** The annotation in the alias that its client uses. */
  readonly annotation: string;
  readonly value: string;
}

const [ownAnnotation = '', aliasAnnotation = ownAnnotation] = understood.annotations.apiApproved;

/**
 * Validates the approval of a definition in a protected group. An update is refused only if it changes the approval state, so
 * that clients that do not know the annotation can change other fields.
 */
export function approvalErrors(
  object: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): FieldError[] {
  const approval = readApproval(object);
  if (approval === undefined || (old !== undefined && readApproval(old)?.state === approval.state)) return [];
  const path = fieldPath('metadata', 'annotations').key(approval.annotation);
  if (approval.state === 'missing') return [requiredField(path, formatApproval(approval))];
  return approval.state === 'invalid' ? [invalidField(path, approval.value, formatApproval(approval))] : [];
}

/** Returns the approval condition of a definition in a protected group; undefined for other groups. */
export function approvalCondition(object: CustomResourceDefinition): DefinitionCondition | undefined {
  const approval = readApproval(object);
  return (
    approval && {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: approval.state === 'approved' ? 'True' : 'False',
      reason: reasons[approval.state],
      message: formatApproval(approval),
    }
  );
}

const reasons: Readonly<Record<Approval['state'], string>> = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
};

function formatApproval({ state, annotation, value }: Approval): string {
  const required = `protected groups must have approval annotation "${annotation}"`;
  switch (state) {
    case 'missing':
      return required;
    case 'invalid':
      return `${required} with either a URL or a reason starting with "unapproved"`;
    case 'approved':
      return `approved in ${value}`;
    case 'bypassed':
      return `not approved: ${JSON.stringify(value)}`;
  }
}

function readApproval(object: CustomResourceDefinition): Approval | undefined {
  const group = object.spec?.group ?? '';
  // Groups in reserved domains need the approval of the domain's owners.
  if (!isInReservedDomain(group)) return undefined;
  const { annotations = {} } = object.metadata;
  const given = understood.annotations.apiApproved.find(name => annotations[name]);
  const usual = isInDomain(group, domains.groups) ? ownAnnotation : aliasAnnotation;
  const annotation = given ?? usual;
  const value = annotations[annotation] ?? '';
  return { state: parseApprovalState(value), annotation, value };
}

function parseApprovalState(value: string): Approval['state'] {
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return URL.canParse(value) && new URL(value).host !== '' ? 'approved' : 'invalid';
}
