import { understood } from '@binnacle/api-names';
import {
  duplicateField,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../generated/certificates/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';
import { certificateChainFault, certificateRequestFault } from './certificate-request.ts';

const minSeconds = 600;
const specPath = fieldPath('spec');
const conditionsPath = fieldPath('status', 'conditions');
const certificatePath = fieldPath('status', 'certificate');
const decisions = ['Approved', 'Denied'];
/** Conditions whose status must be True. */
const marks = [...decisions, 'Failed'];
const statuses = ['False', 'True', 'Unknown'];

/** Validates a new signing request. */
export function signingRequestErrors(object: CertificateSigningRequest): FieldError[] {
  const { usages, signerName = '', expirationSeconds: seconds } = object.spec ?? {};
  // Unset bytes fields that are always present are null.
  const request = object.spec?.request ?? '';
  const fault = certificateRequestFault(Buffer.from(request, 'base64'));
  const requestPath = specPath.child('request');
  return [
    ...(request === ''
      ? [requiredField(requestPath)]
      : fault === undefined
        ? []
        : [invalidField(requestPath, request, fault)]),
    ...usageErrors(usages ?? [], specPath.child('usages')),
    ...signerNameErrors(signerName, specPath.child('signerName')),
    ...(seconds !== undefined && seconds < minSeconds
      ? [
          invalidField(
            specPath.child('expirationSeconds'),
            seconds,
            `may not specify a duration less than ${minSeconds} seconds (10 minutes)`,
          ),
        ]
      : []),
    ...conditionErrors(object),
  ];
}

/** Validates an update of a signing request, its status or its approval. */
export function signingRequestUpdateErrors(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: string,
): FieldError[] {
  if (subresource === '') return [];
  const before = readConditions(old);
  const after = readConditions(object);
  const lost = marks.filter(type => has(before, type) && !has(after, type));
  const errors = lost.map(type =>
    forbiddenField(conditionsPath, `updates may not remove a condition of type "${type}"`),
  );
  if (subresource !== 'approval') errors.push(...decisionErrors(before, after));
  errors.push(...certificateErrors(object, old), ...conditionErrors(object));
  return errors;
}

function usageErrors(usages: readonly string[], path: FieldPath): FieldError[] {
  if (usages.length === 0) return [requiredField(path, 'usages are required')];
  return usages.flatMap((usage, index) =>
    isRepeated(usages, index) ? [duplicateField(path.index(index), usage)] : [],
  );
}

function decisionErrors(
  before: readonly CertificateSigningRequestCondition[],
  after: readonly CertificateSigningRequestCondition[],
): FieldError[] {
  return decisions
    .filter(type => !has(before, type) && has(after, type))
    .map(type =>
      forbiddenField(conditionsPath, `a condition of type "${type}" can be added through approval only`),
    );
}

function certificateErrors(object: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  const before = old.status?.certificate ?? '';
  const after = object.status?.certificate ?? '';
  if (before === after) return [];
  if (before !== '')
    return [forbiddenField(certificatePath, 'updates may not modify or remove existing certificate content')];
  const fault = certificateChainFault(Buffer.from(after, 'base64'));
  return fault === undefined ? [] : [invalidField(certificatePath, '<certificate data>', fault)];
}

function conditionErrors(object: CertificateSigningRequest): FieldError[] {
  const conditions = readConditions(object);
  const types = conditions.map(({ type }) => type);
  const errors = conditions.flatMap(({ type = '', status = '' }, index) => {
    const path = conditionsPath.index(index);
    return [
      ...(type === '' ? [requiredField(path.child('type'))] : []),
      ...conditionStatusErrors(type, status, path.child('status')),
      ...(isRepeated(types, index) ? [duplicateField(path.child('type'), type)] : []),
    ];
  });
  if (decisions.every(type => has(conditions, type)))
    errors.push(
      invalidField(conditionsPath, decisions, 'Approved and Denied conditions are mutually exclusive'),
    );
  return errors;
}

function conditionStatusErrors(type: string, status: string, path: FieldPath): FieldError[] {
  if (status === '') return [requiredField(path)];
  const allowed = marks.includes(type) ? ['True'] : statuses;
  return allowed.includes(status) ? [] : [notSupportedField(path, status, allowed)];
}

function readConditions({ status }: CertificateSigningRequest): CertificateSigningRequestCondition[] {
  return status?.conditions ?? [];
}

function has(conditions: readonly CertificateSigningRequestCondition[], type: string): boolean {
  return conditions.some(condition => condition.type === type);
}

/** Returns the conditions after a write of the status: approval conditions keep their old values (`old`). */
export function keepDecisions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[],
): CertificateSigningRequestCondition[] {
  return conditions.map(condition => {
    const earlier = old.find(other => other.type === condition.type);
    const isDecision = decisions.includes(condition.type ?? '');
    return isDecision && earlier && !equalJson(earlier, condition) ? earlier : condition;
  });
}

/** Maximum length: a domain of 253 characters, a slash, and a path of namespace, dot and name. */
const maxSignerNameLength = 253 + 1 + 63 + 1 + 253;

/** Validates a signer name: a domain of at least two parts, a slash, and a path. */
export function signerNameErrors(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [requiredField(path)];
  if (understood.signers.legacyUnknown.includes(name))
    return [invalidField(path, name, 'the legacy signer takes no requests in this API version')];
  const [domain = '', ...segments] = name.split('/');
  if (segments.length === 0)
    return [invalidField(path, name, "must be a domain and a path of the form 'example.com/signer-name'")];
  const errors = validateDnsSubdomain(domain).map(message => invalidField(path, name, `domain: ${message}`));
  if (!domain.includes('.')) errors.push(invalidField(path, name, 'the domain must have two parts or more'));
  if (segments.length > 1)
    errors.push(invalidField(path, name, 'the path must be a single segment behind the slash'));
  else
    errors.push(
      ...validateDnsSubdomain(segments[0] ?? '').map(message => invalidField(path, name, `path: ${message}`)),
    );
  if (name.length > maxSignerNameLength) errors.push(tooLongField(path, name, maxSignerNameLength));
  return errors;
}
