import { copyJson, humanDuration, type JsonValue, validatePathSegmentName } from '@binnacle/api-objects';
import type { KindRules, Requester } from '../definitions/kind-rules.ts';
import type { MessageType } from '../definitions/message-type.ts';
import type { CertificateSigningRequest } from '../generated/certificates/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import {
  keepDecisions,
  signingRequestErrors,
  signingRequestUpdateErrors,
} from './signing-request-validation.ts';

/**
 * The rules of CertificateSigningRequest objects: the spec is immutable; `approval` writes the approval conditions, `status` the
 * certificate and all other conditions.
 */
export const certificateSigningRequestRules: KindRules<CertificateSigningRequest> = {
  nameRule: validatePathSegmentName,
  setRequester,
  resetFields,
  prepareForUpdate,
  validateCreate: signingRequestErrors,
  validateUpdate: signingRequestUpdateErrors,
  selectableFieldNames: ['spec.signerName'],
  selectableFields: object => ({ 'spec.signerName': object.spec?.signerName ?? '' }),
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'The signer that is requested.'),
    column('Requestor', 'Who asked.'),
    column('RequestedDuration', 'How long the certificate is to be valid.'),
    column('Condition', 'How far the request has come.'),
  ],
  cells,
};

function prepareForUpdate(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: string,
): void {
  if (old.spec !== undefined) object.spec = copyJson(old.spec);
  const { certificate, conditions } = old.status ?? {};
  object.status ??= {};
  const { status } = object;
  if (subresource === 'approval') {
    delete status.certificate;
    if (certificate !== undefined) status.certificate = certificate;
  } else if (subresource === 'status' && status.conditions) {
    status.conditions = keepDecisions(status.conditions, conditions ?? []);
  }
}

function cells(object: CertificateSigningRequest, now: number): JsonValue[] {
  const { signerName = '', username = '', expirationSeconds: seconds } = object.spec ?? {};
  return [
    nameCell(object),
    ageCell(object, now),
    signerName || '<none>',
    username,
    seconds !== undefined ? humanDuration(seconds * 1000) : '<none>',
    conditionCell(object),
  ];
}

function conditionCell({ status }: CertificateSigningRequest): string {
  const types = (status?.conditions ?? []).map(({ type }) => type);
  const decision = ['Denied', 'Approved'].find(type => types.includes(type)) ?? 'Pending';
  const failure = types.includes('Failed') ? ',Failed' : '';
  return `${decision}${failure}${(status?.certificate ?? '') === '' ? '' : ',Issued'}`;
}

/** Sets the requesting user, which clients cannot choose. */
function setRequester(object: CertificateSigningRequest, requester: Requester): void {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = object.spec ?? {};
  object.spec = { ...spec, ...requester };
}

function resetFields(subresource: string, { fields }: MessageType): string[][] {
  if (subresource !== 'approval') return [];
  const specification = [...fields.keys()].filter(name => name !== 'metadata' && name !== 'status');
  return [...specification.map(name => [name]), ['status', 'certificate']];
}
