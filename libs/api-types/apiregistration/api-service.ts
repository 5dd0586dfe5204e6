import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateDns1035Label,
  validateDnsSubdomain,
  validatePathSegmentName,
  validatePortNumber,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { APIService, APIServiceSpec, ServiceReference } from '../generated/apiregistration/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;

/** The rules of APIService objects; one without a service is served locally and available from its creation. */
export const apiServiceRules: KindRules<APIService> = {
  unconditionalUpdate: false,
  nameRule: validatePathSegmentName,
  prepareForCreate,
  validate,
  columns: [
    nameColumn,
    column('Service', 'The service behind the group version; Local for this server.'),
    column('Available', 'Whether the service answers.'),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    serviceCell(object),
    availabilityCell(object),
    ageCell(object, now),
  ],
};

function prepareForCreate(object: APIService): void {
  if (object.spec?.service) return;
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
  object.status = { conditions: [condition] };
}

function serviceCell({ spec: { service } = {} }: APIService): string {
  return service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local';
}

function availabilityCell(object: APIService): string {
  const available = object.status?.conditions?.find(({ type }) => type === 'Available');
  const status = available?.status || 'Unknown';
  return !available || status === 'True' ? status : `${status} (${available.reason ?? ''})`;
}

function validate({ metadata, spec = {} }: APIService): FieldError[] {
  const path = fieldPath('spec');
  const { group = '', version = '', service } = spec;
  const { name = '' } = metadata;
  const errors: FieldError[] = [];
  if (name !== `${version}.${group}`)
    errors.push(
      invalidField(
        fieldPath('metadata', 'name'),
        name,
        `must be spec.version+"."+spec.group: ${version}.${group}`,
      ),
    );
  if (group === '' && version !== 'v1')
    errors.push(requiredField(path.child('group'), 'only v1 may be without a group'));
  if (group !== '')
    errors.push(
      ...validateDnsSubdomain(group).map(message => invalidField(path.child('group'), group, message)),
    );
  errors.push(
    ...validateDns1035Label(version).map(message => invalidField(path.child('version'), version, message)),
    ...priorityErrors(spec, path),
    ...(service ? remoteErrors(spec, service, path) : localErrors(spec, path)),
  );
  return errors;
}

function priorityErrors(spec: APIServiceSpec, path: FieldPath): FieldError[] {
  return (
    [
      ['groupPriorityMinimum', maxGroupPriority],
      ['versionPriority', maxVersionPriority],
    ] as const
  ).flatMap(([field, max]) => {
    const value = spec[field] ?? 0;
    if (value > 0 && value <= max) return [];
    return [invalidField(path.child(field), value, `must be positive and at most ${max}`)];
  });
}

function localErrors(spec: APIServiceSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.caBundle ?? '') !== '')
    errors.push(invalidField(path.child('caBundle'), spec.caBundle, 'means nothing without a service'));
  if (spec.insecureSkipTLSVerify === true)
    errors.push(invalidField(path.child('insecureSkipTLSVerify'), true, 'means nothing without a service'));
  return errors;
}

function remoteErrors(spec: APIServiceSpec, service: ServiceReference, path: FieldPath): FieldError[] {
  const at = path.child('service');
  const { port } = service;
  const errors: FieldError[] = (['namespace', 'name'] as const)
    .filter(field => (service[field] ?? '') === '')
    .map(field => requiredField(at.child(field)));
  if (port !== undefined)
    errors.push(...validatePortNumber(port).map(message => invalidField(at.child('port'), port, message)));
  if (spec.insecureSkipTLSVerify === true && (spec.caBundle ?? '') !== '')
    errors.push(invalidField(path.child('insecureSkipTLSVerify'), true, 'may not be true beside a caBundle'));
  return errors;
}
