import {
  type ApiObject,
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  type NameRule,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validateIpAddress,
  validateLabels,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asList, asObject, asObjects, asText, asTexts } from '../json-access.ts';
import { containersErrors } from './container-validation.ts';
import { specOf } from './service-facts.ts';
import { tolerationErrors } from './toleration-validation.ts';
import { volumeErrors } from './volume-validation.ts';

const longestDeadline = 2_147_483_647;

/** The findings about a pod; closed sets of values are checked elsewhere. */
export function podErrors(object: ApiObject): FieldError[] {
  return podSpecErrors(specOf(object), fieldPath('spec'));
}

/** The findings about what only a running pod can be given. */
export function podCreateErrors(object: ApiObject): FieldError[] {
  if (asList(specOf(object)['ephemeralContainers']).length === 0) return [];
  return [forbiddenField(fieldPath('spec', 'ephemeralContainers'), 'cannot be set on create')];
}

/** The findings about a pod's spec, also within a template; `furtherVolumes` are added to its own later. */
export function podSpecErrors(
  spec: JsonObject,
  path: FieldPath,
  furtherVolumes: readonly string[] = [],
): FieldError[] {
  return [
    ...volumeErrors(asObjects(spec['volumes']), path.child('volumes')),
    ...containersErrors(spec, path, furtherVolumes),
    ...nameErrors(spec, path),
    ...secondsErrors(spec, path),
    ...validateLabels(textMap(spec['nodeSelector']), path.child('nodeSelector')),
    ...pullSecretErrors(asObjects(spec['imagePullSecrets']), path.child('imagePullSecrets')),
    ...asObjects(spec['tolerations']).flatMap((toleration, index) =>
      tolerationErrors(toleration, path.child('tolerations').index(index)),
    ),
    ...hostAliasErrors(asObjects(spec['hostAliases']), path.child('hostAliases')),
    ...dnsErrors(spec, path),
    ...asObjects(spec['readinessGates']).flatMap((gate, index) =>
      conditionTypeErrors(gate, path.child('readinessGates').index(index)),
    ),
  ];
}

/** The entries of a map of texts. */
export function textMap(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asObject(value) ?? {}).map(([key, text]) => [key, asText(text)]));
}

const namedFields: readonly (readonly [field: string, rule: NameRule])[] = [
  ['serviceAccountName', validateDnsSubdomain],
  ['nodeName', validateDnsSubdomain],
  ['hostname', validateDnsLabel],
  ['subdomain', validateDnsLabel],
  ['schedulerName', validateQualifiedName],
  ['priorityClassName', validateDnsSubdomain],
  ['runtimeClassName', validateDnsSubdomain],
];

function nameErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return namedFields.flatMap(([field, rule]) => {
    const value = asText(spec[field]);
    return value === '' ? [] : rule(value).map(message => invalidField(path.child(field), value, message));
  });
}

function secondsErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const deadline = spec['activeDeadlineSeconds'];
  if (typeof deadline === 'number' && (deadline < 1 || deadline > longestDeadline))
    errors.push(
      invalidField(
        path.child('activeDeadlineSeconds'),
        deadline,
        `must be between 1 and ${longestDeadline}, inclusive`,
      ),
    );
  const grace = spec['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace < 0)
    errors.push(
      invalidField(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than or equal to 0'),
    );
  return errors;
}

function pullSecretErrors(secrets: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = secrets.map(secret => asText(secret['name']));
  return names.flatMap((name, index) => {
    const at = path.index(index);
    if (name === '') return [requiredField(at.child('name'))];
    return names.indexOf(name) < index ? [duplicateField(at, name)] : [];
  });
}

function hostAliasErrors(aliases: readonly JsonObject[], path: FieldPath): FieldError[] {
  return aliases.flatMap((alias, index) => {
    const at = path.index(index);
    const ip = asText(alias['ip']);
    return [
      ...validateIpAddress(ip).map(message => invalidField(at.child('ip'), ip, message)),
      ...asTexts(alias['hostnames']).flatMap(host =>
        validateDnsSubdomain(host).map(message => invalidField(at.child('hostnames'), host, message)),
      ),
    ];
  });
}

const mostNameservers = 3;

function dnsErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const config = asObject(spec['dnsConfig']) ?? {};
  const servers = asTexts(config['nameservers']);
  const at = path.child('dnsConfig', 'nameservers');
  const errors = servers.flatMap((server, index) =>
    validateIpAddress(server).map(message => invalidField(at.index(index), server, message)),
  );
  if (servers.length > mostNameservers)
    errors.push(invalidField(at, servers, `must not have more than ${mostNameservers} nameservers`));
  if (spec['dnsPolicy'] === 'None' && servers.length === 0)
    errors.push(requiredField(at, "at least one nameserver is needed when `dnsPolicy` is 'None'"));
  return errors;
}

function conditionTypeErrors(gate: JsonObject, path: FieldPath): FieldError[] {
  const type = asText(gate['conditionType']);
  return validateQualifiedName(type).map(message => invalidField(path.child('conditionType'), type, message));
}
