import { groups, understood } from '@binnacle/api-names';
import {
  causeFromFieldError,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  splitApiVersion,
} from '@binnacle/api-objects';
import { asText, canonicalGroup } from '@binnacle/api-types';
import {
  type AuditPolicy,
  type AuditRule,
  auditLevels,
  auditStages,
  type GroupResources,
} from './audit-policy.ts';

/** An object that is being read; errors in its members are added to `errors`. */
interface Reading {
  readonly object: JsonObject;
  readonly path: FieldPath | undefined;
  readonly errors: FieldError[];
}

const policyFields = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const ruleFields = [
  ...['level', 'users', 'userGroups', 'verbs', 'resources', 'namespaces'],
  ...['nonResourceURLs', 'omitStages', 'omitManagedFields'],
];
const resourceFields = ['group', 'resources', 'resourceNames'];

/** Reads a Policy of the group audit, version v1. Throws an Error that names each rule and field that is not valid. */
export function parseAuditPolicy(document: JsonObject): AuditPolicy {
  const { apiVersion, kind } = document;
  const { group, version } = splitApiVersion(asText(apiVersion));
  if (kind !== 'Policy' || !understood.groups.audit.includes(group) || version !== 'v1')
    throw new Error(
      `expected kind Policy of ${groups.audit}/v1, got ${JSON.stringify(kind ?? '')} of ${JSON.stringify(apiVersion ?? '')}`,
    );
  const errors: FieldError[] = [];
  const reading = { object: document, path: undefined, errors };
  refuseUnknown(reading, policyFields);
  const policy = {
    rules: readObjects(reading, 'rules').map(ruleFrom),
    omitStages: readChoices(reading, 'omitStages', auditStages),
    omitManagedFields: readFlag(reading, 'omitManagedFields') ?? false,
  };
  if (policy.rules.length === 0 && errors.length === 0)
    errors.push(requiredField(fieldPath('rules'), 'a policy needs at least one rule'));
  if (errors.length > 0) {
    const causes = errors.map(causeFromFieldError);
    throw new Error(causes.map(({ field = '', message = '' }) => `${field}: ${message}`).join('; '));
  }
  return policy;
}

function ruleFrom(reading: Reading): AuditRule {
  const { object, errors } = reading;
  refuseUnknown(reading, ruleFields);
  const level = auditLevels.find(known => known === object['level']);
  if (level === undefined) errors.push(wrongLevel(at(reading, 'level'), object['level']));
  const rule = {
    level: level ?? 'None',
    users: readTexts(reading, 'users'),
    userGroups: readTexts(reading, 'userGroups'),
    verbs: readTexts(reading, 'verbs'),
    resources: readObjects(reading, 'resources').map(resourcesFrom),
    namespaces: readTexts(reading, 'namespaces'),
    nonResourceURLs: readTexts(reading, 'nonResourceURLs'),
    omitStages: readChoices(reading, 'omitStages', auditStages),
    omitManagedFields: readFlag(reading, 'omitManagedFields'),
  } as const;
  errors.push(...pathErrors(rule, at(reading, 'nonResourceURLs')));
  return rule;
}

function wrongLevel(path: FieldPath, level: JsonValue | undefined): FieldError {
  return level === undefined || level === null || level === ''
    ? requiredField(path)
    : notSupportedField(path, level, [...auditLevels]);
}

function resourcesFrom(reading: Reading): GroupResources {
  const { object, errors } = reading;
  refuseUnknown(reading, resourceFields);
  const { group = '' } = object;
  if (typeof group !== 'string' || !/^[a-z0-9.-]*$/.test(group))
    errors.push(invalidField(at(reading, 'group'), group, 'must be the name of a group, without a version'));
  const resources = readTexts(reading, 'resources');
  const resourceNames = readTexts(reading, 'resourceNames');
  if (resourceNames.length > 0 && resources.length === 0)
    errors.push(
      invalidField(
        at(reading, 'resourceNames'),
        [...resourceNames],
        'using resourceNames requires at least one resource',
      ),
    );
  return { group: canonicalGroup(asText(group)), resources, resourceNames };
}

function pathErrors(
  { nonResourceURLs: paths, resources, namespaces }: AuditRule,
  path: FieldPath,
): FieldError[] {
  if (paths.length > 0 && (resources.length > 0 || namespaces.length > 0))
    return [
      invalidField(path, [...paths], 'rules cannot apply to both regular resources and non-resource URLs'),
    ];
  return paths.flatMap((text, index) => {
    if (text === '*') return [];
    const each = path.index(index);
    if (!text.startsWith('/')) return [invalidField(each, text, 'must begin with a "/" character')];
    const isInner = text.slice(0, -1).includes('*');
    return isInner
      ? [invalidField(each, text, 'a wildcard "*" must be the final character of the path')]
      : [];
  });
}

function at({ path }: Reading, field: string): FieldPath {
  return path === undefined ? fieldPath(field) : path.child(field);
}

function refuseUnknown(reading: Reading, known: readonly string[]): void {
  for (const field of Object.keys(reading.object))
    if (!known.includes(field))
      reading.errors.push(invalidField(at(reading, field), reading.object[field] ?? null, 'unknown field'));
}

function readList(reading: Reading, field: string): readonly JsonValue[] {
  const value = reading.object[field] ?? [];
  if (Array.isArray(value)) return value;
  reading.errors.push(invalidField(at(reading, field), value, 'must be a list'));
  return [];
}

function readObjects(reading: Reading, field: string): Reading[] {
  const { errors } = reading;
  return readList(reading, field).flatMap((object, index) => {
    const path = at(reading, field).index(index);
    if (isJsonObject(object)) return [{ object, path, errors }];
    errors.push(invalidField(path, object, 'must be an object'));
    return [];
  });
}

function readTexts(reading: Reading, field: string): readonly string[] {
  return readList(reading, field).flatMap((text, index) => {
    if (typeof text === 'string') return [text];
    reading.errors.push(invalidField(at(reading, field).index(index), text, 'must be a string'));
    return [];
  });
}

function readChoices<T extends string>(reading: Reading, field: string, choices: readonly T[]): readonly T[] {
  return readList(reading, field).flatMap((text, index) => {
    const choice = choices.find(known => known === text);
    if (choice !== undefined) return [choice];
    reading.errors.push(notSupportedField(at(reading, field).index(index), text, [...choices]));
    return [];
  });
}

function readFlag(reading: Reading, field: string): boolean | undefined {
  const value = reading.object[field] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  reading.errors.push(invalidField(at(reading, field), value, 'must be true or false'));
  return undefined;
}
