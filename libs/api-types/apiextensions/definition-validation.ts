import { extensions } from '@binnacle/api-names';
import {
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  validateDns1035Label,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { clientConfigErrors } from '../admissionregistration/client-config.ts';
import { reviewVersionErrors } from '../admissionregistration/webhooks.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../generated/apiextensions/v1.ts';
import { isBuiltInGroup } from '../group-names/built-in-groups.ts';
import { approvalErrors } from './api-approval.ts';
import { conditionHolds } from './conditions.ts';
import { definitionNameErrors } from './definition-names.ts';
import { printerColumnErrors, scaleErrors } from './printer-column-validation.ts';
import { structuralSchemaErrors } from './structural-schema.ts';

const specPath = fieldPath('spec');
const maxWarningBytes = 256;

/** Validates a CustomResourceDefinition. */
export function definitionErrors(object: CustomResourceDefinition): FieldError[] {
  const spec = object.spec ?? {};
  const versions = spec.versions ?? [];
  return [
    ...objectNameErrors(object),
    ...groupErrors(spec.group ?? ''),
    ...newDefinitionErrors(object),
    ...scopeErrors(spec.scope ?? ''),
    ...(spec.preserveUnknownFields === true
      ? [
          invalidField(
            specPath.child('preserveUnknownFields'),
            true,
            `cannot set to true, set ${extensions.preserveUnknownFields} to true in spec.versions[*].schema instead`,
          ),
        ]
      : []),
    ...versionsErrors(versions),
    ...definitionNameErrors(spec.names ?? {}, specPath.child('names')),
    ...(spec.conversion ? conversionErrors(spec.conversion, specPath.child('conversion')) : []),
    ...presentationErrors(versions),
    ...storedVersionErrors(object),
    ...storageVersionErrors(object),
  ];
}

/**
 * Validates the name of a definition, which must consist of plural name and group. A stored name never changes and is not
 * validated again.
 */
function objectNameErrors(object: CustomResourceDefinition): FieldError[] {
  const { name = '', resourceVersion } = object.metadata;
  if (resourceVersion !== undefined) return [];
  const { names, group = '' } = object.spec ?? {};
  const required = `${names?.plural ?? ''}.${group}`;
  if (name === required) return [];
  const why = `must be spec.names.plural+"."+spec.group: ${required}`;
  return [invalidField(fieldPath('metadata', 'name'), name, why)];
}

function groupErrors(group: string): FieldError[] {
  const path = specPath.child('group');
  if (group === '') return [requiredField(path)];
  const errors = validateDnsSubdomain(group).map(message => invalidField(path, group, message));
  if (!group.includes('.'))
    errors.push(invalidField(path, group, 'should be a domain with at least one dot'));
  return errors;
}

/** Validates rules that only apply to new definitions, so that older stored ones can still be changed and deleted. */
function newDefinitionErrors(object: CustomResourceDefinition): FieldError[] {
  if (object.metadata.resourceVersion !== undefined) return [];
  const group = object.spec?.group ?? '';
  if (group === '' || !isBuiltInGroup(group)) return approvalErrors(object);
  return [invalidField(specPath.child('group'), group, 'must not be a group of built-in resources')];
}

function scopeErrors(scope: string): FieldError[] {
  const path = specPath.child('scope');
  if (scope === '') return [requiredField(path)];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupportedField(path, scope, scopes)];
}

function versionsErrors(versions: readonly CustomResourceDefinitionVersion[]): FieldError[] {
  const path = specPath.child('versions');
  const names = versions.map(version => version.name ?? '');
  const errors = versions.flatMap((version, index) => versionErrors(version, path.index(index)));
  const [first = ''] = names;
  // Existing clients also know the first version by a field of its own.
  if (first !== '') errors.push(...labelErrors(first, specPath.child('version')));
  if (new Set(names).size < names.length)
    errors.push(invalidField(path, names, 'must contain unique version names'));
  if (versions.filter(version => version.storage === true).length !== 1)
    errors.push(invalidField(path, names, 'must have exactly one version marked as storage version'));
  return errors;
}

function versionErrors(version: CustomResourceDefinitionVersion, path: FieldPath): FieldError[] {
  const { name = '', deprecationWarning: warning } = version;
  const errors = labelErrors(name, path.child('name'));
  if (!readSchema(version))
    errors.push(requiredField(path.child('schema').child('openAPIV3Schema'), 'schemas are required'));
  if (warning === undefined) return errors;
  const at = path.child('deprecationWarning');
  if (version.deprecated !== true)
    errors.push(invalidField(at, warning, 'can only be set for deprecated versions'));
  if (warning === '') errors.push(invalidField(at, warning, 'must not be empty where it is given'));
  if (Buffer.byteLength(warning) > maxWarningBytes) errors.push(tooLongField(at, warning, maxWarningBytes));
  if (/\p{C}/u.test(warning))
    errors.push(invalidField(at, warning, 'must only contain printable characters'));
  return errors;
}

function labelErrors(name: string, path: FieldPath): FieldError[] {
  return validateDns1035Label(name).map(message => invalidField(path, name, message));
}

/**
 * Validates schemas, subresources and columns. Errors in parts that are equal in all versions are reported at the top-level path
 * that existing clients expect.
 */
function presentationErrors(versions: readonly CustomResourceDefinitionVersion[]): FieldError[] {
  const path = (index: number) => specPath.child('versions').index(index);
  return [
    ...collectSchemas(versions).flatMap(({ schema, path: at }) => structuralSchemaErrors(schema, at)),
    ...perVersion(versions, 'subresources').flatMap(([version, index]) => {
      const scale = version.subresources?.scale;
      const at = (index === undefined ? specPath : path(index)).child('subresources');
      return scale ? scaleErrors(scale, at.child('scale')) : [];
    }),
    ...perVersion(versions, 'additionalPrinterColumns').flatMap(([version, index]) => {
      const at = (index === undefined ? specPath : path(index)).child('additionalPrinterColumns');
      return (version.additionalPrinterColumns ?? []).flatMap((column, position) =>
        printerColumnErrors(column, at.index(position)),
      );
    }),
  ];
}

/** A schema of a definition, and the path for errors in it. */
interface DefinitionSchema {
  readonly schema: JSONSchemaProps;
  readonly path: FieldPath;
}

/** Returns the schemas of a definition; only one if all versions have the same. */
export function definitionSchemas(object: CustomResourceDefinition): readonly DefinitionSchema[] {
  return collectSchemas(object.spec?.versions ?? []);
}

function collectSchemas(versions: readonly CustomResourceDefinitionVersion[]): readonly DefinitionSchema[] {
  return perVersion(versions, 'schema').flatMap(([version, index]) => {
    const schema = readSchema(version);
    const at =
      index === undefined
        ? specPath.child('validation')
        : specPath.child('versions').index(index).child('schema');
    return schema ? [{ schema, path: at.child('openAPIV3Schema') }] : [];
  });
}

/** Returns the versions to validate for a field: only the first, without an index, if the field is equal in all. */
function perVersion(
  versions: readonly CustomResourceDefinitionVersion[],
  field: keyof CustomResourceDefinitionVersion,
): (readonly [CustomResourceDefinitionVersion, number | undefined])[] {
  const [first, ...others] = versions;
  if (first && others.every(version => equalJson(version[field], first[field]))) return [[first, undefined]];
  return versions.map((version, index) => [version, index]);
}

function readSchema(version: CustomResourceDefinitionVersion): JSONSchemaProps | undefined {
  return version.schema?.openAPIV3Schema;
}

/** Validates an update of a definition or of its status. */
export function definitionUpdateErrors(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition,
  subresource: string,
): FieldError[] {
  return subresource === ''
    ? [...immutableErrors(object, old), ...approvalErrors(object, old)]
    : storedVersionErrors(object);
}

/** Stored versions must not be removed, because objects may be stored in them. */
function storedVersionErrors(object: CustomResourceDefinition): FieldError[] {
  const path = fieldPath('status', 'storedVersions');
  const stored = object.status?.storedVersions ?? [];
  const names = (object.spec?.versions ?? []).map(version => version.name);
  if (stored.length === 0) return [invalidField(path, stored, 'must have at least one stored version')];
  return stored.flatMap((version, index) =>
    names.includes(version) ? [] : [invalidField(path.index(index), version, 'must appear in spec.versions')],
  );
}

/** The storage version must be in the list of stored versions. */
function storageVersionErrors(object: CustomResourceDefinition): FieldError[] {
  const stored = object.status?.storedVersions ?? [];
  const missing = (object.spec?.versions ?? [])
    .filter(version => version.storage === true)
    .map(version => version.name ?? '')
    .find(name => !stored.includes(name));
  if (missing === undefined || stored.length === 0) return [];
  const why = `must have the storage version ${missing}`;
  return [invalidField(fieldPath('status', 'storedVersions'), stored, why)];
}

interface ImmutableField {
  /** Path below spec. */
  readonly keys: readonly string[];
  read(spec: CustomResourceDefinitionSpec): string | undefined;
}

const immutableFields: readonly ImmutableField[] = [
  { keys: ['group'], read: spec => spec.group },
  { keys: ['scope'], read: spec => spec.scope },
  { keys: ['names', 'plural'], read: spec => spec.names?.plural },
];
const immutableOnceServed: readonly ImmutableField[] = [
  { keys: ['names', 'kind'], read: spec => spec.names?.kind },
  { keys: ['names', 'listKind'], read: spec => spec.names?.listKind },
];

function immutableErrors(object: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const isServed = conditionHolds(old.status, 'Established');
  const fields = isServed ? [...immutableFields, ...immutableOnceServed] : immutableFields;
  return fields.flatMap(({ keys, read }) => {
    const [before, after] = [read(old.spec ?? {}) ?? '', read(object.spec ?? {}) ?? ''];
    return before === after ? [] : [invalidField(specPath.child(...keys), after, 'field is immutable')];
  });
}

const notAsked = 'should not be set when strategy is not set to Webhook';

/** Validates the conversion between versions; existing clients expect the webhook's fields at these paths. */
function conversionErrors(conversion: CustomResourceConversion, path: FieldPath): FieldError[] {
  const { strategy = '', webhook } = conversion;
  const config = webhook?.clientConfig;
  const at = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  switch (strategy) {
    case 'None':
      return [
        ...(config ? [forbiddenField(at, notAsked)] : []),
        ...(webhook?.conversionReviewVersions ? [forbiddenField(versionsPath, notAsked)] : []),
      ];
    case 'Webhook':
      return [
        ...(config
          ? clientConfigErrors(config, at)
          : [requiredField(at, 'required when strategy is set to Webhook')]),
        ...reviewVersionErrors(webhook?.conversionReviewVersions ?? [], versionsPath),
      ];
    case '':
      return [requiredField(path.child('strategy'))];
    default:
      return [notSupportedField(path.child('strategy'), strategy, ['None', 'Webhook'])];
  }
}
