import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDns1035Label,
  validateDnsSubdomain,
  validatePathSegmentName,
  validatePortNumber,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';

const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;

/** The rules of APIService objects; one without a service is served by this server and available from the start. */
export const apiServiceRules: KindRules = {
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
  cells: (object, now) => [nameOf(object), serviceOf(object), availabilityOf(object), ageOf(object, now)],
};

function prepareForCreate(object: ApiObject): void {
  if (asObject(asObject(object['spec'])?.['service'])) return;
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'Local',
    message: 'this server serves the group version itself',
  };
  object['status'] = { conditions: [condition] };
}

function serviceOf(object: ApiObject): string {
  const service = asObject(asObject(object['spec'])?.['service']);
  return service ? `${asText(service['namespace'])}/${asText(service['name'])}` : 'Local';
}

function availabilityOf(object: ApiObject): string {
  const conditions = asObjects(asObject(object['status'])?.['conditions']);
  const available = conditions.find(condition => condition['type'] === 'Available');
  const status = asText(available?.['status']) || 'Unknown';
  return !available || status === 'True' ? status : `${status} (${asText(available['reason'])})`;
}

function validate(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = asObject(object['spec']) ?? {};
  const group = asText(spec['group']);
  const version = asText(spec['version']);
  const { name = '' } = object.metadata;
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
    ...(asObject(spec['service']) ? remoteErrors(spec, path) : localErrors(spec, path)),
  );
  return errors;
}

function priorityErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return (
    [
      ['groupPriorityMinimum', maxGroupPriority],
      ['versionPriority', maxVersionPriority],
    ] as const
  ).flatMap(([field, max]) => {
    const value = asNumber(spec[field]);
    if (value > 0 && value <= max) return [];
    return [invalidField(path.child(field), value, `must be positive and at most ${max}`)];
  });
}

function localErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (asText(spec['caBundle']) !== '')
    errors.push(invalidField(path.child('caBundle'), spec['caBundle'], 'means nothing without a service'));
  if (spec['insecureSkipTLSVerify'] === true)
    errors.push(invalidField(path.child('insecureSkipTLSVerify'), true, 'means nothing without a service'));
  return errors;
}

function remoteErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const service = asObject(spec['service']) ?? {};
  const at = path.child('service');
  const port = service['port'];
  const errors: FieldError[] = ['namespace', 'name']
    .filter(field => asText(service[field]) === '')
    .map(field => requiredField(at.child(field)));
  if (typeof port === 'number')
    errors.push(...validatePortNumber(port).map(message => invalidField(at.child('port'), port, message)));
  if (spec['insecureSkipTLSVerify'] === true && asText(spec['caBundle']) !== '')
    errors.push(invalidField(path.child('insecureSkipTLSVerify'), true, 'may not be true beside a caBundle'));
  return errors;
}
