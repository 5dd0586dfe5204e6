import {
  type ApiObject,
  copyJson,
  humanDuration,
  type JsonValue,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import {
  keepDecisions,
  signingRequestErrors,
  signingRequestUpdateErrors,
} from './signing-request-validation.ts';

/**
 * The rules of CertificateSigningRequest objects: what was asked for never changes; `approval` writes conditions,
 * `status` the certificate and the conditions that decide nothing.
 */
export const certificateSigningRequestRules: KindRules = {
  nameRule: validatePathSegmentName,
  prepareForUpdate,
  validateCreate: signingRequestErrors,
  validateUpdate: signingRequestUpdateErrors,
  selectableFieldNames: ['spec.signerName'],
  selectableFields: object => ({ 'spec.signerName': asText(asObject(object['spec'])?.['signerName']) }),
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'Who is asked to sign.'),
    column('Requestor', 'Who asked.'),
    column('RequestedDuration', 'How long the certificate is to be valid.'),
    column('Condition', 'How far the request has come.'),
  ],
  cells,
};

function prepareForUpdate(object: ApiObject, old: ApiObject, subresource: string): void {
  if (old['spec'] !== undefined) object['spec'] = copyJson(old['spec']);
  const before = asObject(old['status']) ?? {};
  const status = ensureObject(object, 'status');
  if (subresource === 'approval') {
    delete status['certificate'];
    if (before['certificate'] !== undefined) status['certificate'] = before['certificate'];
  } else if (subresource === 'status' && Array.isArray(status['conditions'])) {
    status['conditions'] = keepDecisions(asObjects(status['conditions']), asObjects(before['conditions']));
  }
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = asObject(object['spec']);
  const seconds = spec?.['expirationSeconds'];
  return [
    nameOf(object),
    ageOf(object, now),
    asText(spec?.['signerName']) || '<none>',
    asText(spec?.['username']),
    typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>',
    conditionOf(object),
  ];
}

function conditionOf(object: ApiObject): string {
  const status = asObject(object['status']);
  const types = asObjects(status?.['conditions']).map(condition => condition['type']);
  const decision = ['Denied', 'Approved'].find(type => types.includes(type)) ?? 'Pending';
  const failure = types.includes('Failed') ? ',Failed' : '';
  return `${decision}${failure}${asText(status?.['certificate']) === '' ? '' : ',Issued'}`;
}
