import {
  type ApiObject,
  humanDuration,
  type JsonValue,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions.ts';
import { asObject, asObjects, asText } from '../json-access.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';

/** The rules of CertificateSigningRequest objects. */
export const certificateSigningRequestRules: KindRules = {
  nameRule: validatePathSegmentName,
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
