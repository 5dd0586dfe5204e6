import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  tooLongField,
  validateDns1035Label,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { isBuiltInGroup } from '../group-names/built-in-groups.ts';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { approvalErrors } from './api-approval.ts';
import { conversionErrors } from './conversion-validation.ts';
import { definitionNameErrors } from './definition-names.ts';
import { printerColumnErrors, scaleErrors } from './printer-column-validation.ts';
import { structuralSchemaErrors } from './structural-schema.ts';

const specPath = fieldPath('spec');
const maxWarningBytes = 256;

/** The findings about a definition of custom resources. */
export function definitionErrors(object: ApiObject): FieldError[] {
  const spec = asObject(object['spec']) ?? {};
  const names = asObject(spec['names']) ?? {};
  const conversion = asObject(spec['conversion']);
  return [
    ...objectNameErrors(object),
    ...groupErrors(asText(spec['group'])),
    ...newDefinitionErrors(object),
    ...scopeErrors(asText(spec['scope'])),
    ...(spec['preserveUnknownFields'] === true
      ? [
          invalidField(
            specPath.child('preserveUnknownFields'),
            true,
            'cannot set to true, set x-cluster-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
    ...versionsErrors(asObjects(spec['versions'])),
    ...definitionNameErrors(names, specPath.child('names')),
    ...(conversion ? conversionErrors(conversion, specPath.child('conversion')) : []),
    ...presentationErrors(asObjects(spec['versions'])),
    ...storedVersionErrors(object),
    ...storageVersionErrors(object),
  ];
}

/** The findings about the name of a definition: it says what is defined, and never changes once it is stored. */
function objectNameErrors(object: ApiObject): FieldError[] {
  const { name = '', resourceVersion } = object.metadata;
  if (resourceVersion !== undefined) return [];
  const spec = asObject(object['spec']);
  const required = `${asText(asObject(spec?.['names'])?.['plural'])}.${asText(spec?.['group'])}`;
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

/** What only new definitions are refused for: those of older stores can still be changed, and deleted. */
function newDefinitionErrors(object: ApiObject): FieldError[] {
  if (object.metadata.resourceVersion !== undefined) return [];
  const group = asText(asObject(object['spec'])?.['group']);
  if (group === '' || !isBuiltInGroup(group)) return approvalErrors(object);
  return [invalidField(specPath.child('group'), group, 'must not be a group of built-in resources')];
}

function scopeErrors(scope: string): FieldError[] {
  const path = specPath.child('scope');
  if (scope === '') return [requiredField(path)];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupportedField(path, scope, scopes)];
}

function versionsErrors(versions: readonly JsonObject[]): FieldError[] {
  const path = specPath.child('versions');
  const names = versions.map(version => asText(version['name']));
  const errors = versions.flatMap((version, index) => versionErrors(version, path.index(index)));
  const [first = ''] = names;
  // Existing clients know the first version by a field of its own, too.
  if (first !== '') errors.push(...labelErrors(first, specPath.child('version')));
  if (new Set(names).size < names.length)
    errors.push(invalidField(path, names, 'must contain unique version names'));
  if (versions.filter(version => version['storage'] === true).length !== 1)
    errors.push(invalidField(path, names, 'must have exactly one version marked as storage version'));
  return errors;
}

function versionErrors(version: JsonObject, path: FieldPath): FieldError[] {
  const name = asText(version['name']);
  const errors = labelErrors(name, path.child('name'));
  if (!schemaOf(version))
    errors.push(requiredField(path.child('schema').child('openAPIV3Schema'), 'schemas are required'));
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return errors;
  const at = path.child('deprecationWarning');
  if (version['deprecated'] !== true)
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
 * The findings about schemas, subresources and columns. What is the same in all versions stands above them for existing
 * clients, who know it by that path.
 */
function presentationErrors(versions: readonly JsonObject[]): FieldError[] {
  const path = (index: number) => specPath.child('versions').index(index);
  return [
    ...schemasOf(versions).flatMap(({ schema, path: at }) => structuralSchemaErrors(schema, at)),
    ...perVersion(versions, 'subresources').flatMap(([version, index]) => {
      const scale = asObject(asObject(version['subresources'])?.['scale']);
      const at = (index === undefined ? specPath : path(index)).child('subresources');
      return scale ? scaleErrors(scale, at.child('scale')) : [];
    }),
    ...perVersion(versions, 'additionalPrinterColumns').flatMap(([version, index]) => {
      const at = (index === undefined ? specPath : path(index)).child('additionalPrinterColumns');
      return asObjects(version['additionalPrinterColumns']).flatMap((column, position) =>
        printerColumnErrors(column, at.index(position)),
      );
    }),
  ];
}

/** A schema of a definition, and where findings about it are told. */
interface DefinitionSchema {
  readonly schema: JsonObject;
  readonly path: FieldPath;
}

/** The schemas of a definition; one alone where all versions have the same. */
export function definitionSchemas(object: ApiObject): readonly DefinitionSchema[] {
  return schemasOf(asObjects(asObject((object as JsonObject)['spec'])?.['versions']));
}

function schemasOf(versions: readonly JsonObject[]): readonly DefinitionSchema[] {
  return perVersion(versions, 'schema').flatMap(([version, index]) => {
    const schema = schemaOf(version);
    const at =
      index === undefined
        ? specPath.child('validation')
        : specPath.child('versions').index(index).child('schema');
    return schema ? [{ schema, path: at.child('openAPIV3Schema') }] : [];
  });
}

/** The versions to look at for a field: the first one alone, without a place, when the field is the same in all. */
function perVersion(
  versions: readonly JsonObject[],
  field: string,
): (readonly [JsonObject, number | undefined])[] {
  const [first, ...others] = versions;
  if (first && others.every(version => equalJson(version[field], first[field]))) return [[first, undefined]];
  return versions.map((version, index) => [version, index]);
}

function schemaOf(version: JsonObject): JsonObject | undefined {
  return asObject(asObject(version['schema'])?.['openAPIV3Schema']);
}

/** The findings about a change of a definition, through itself or through its status. */
export function definitionUpdateErrors(object: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  return subresource === ''
    ? [...immutableErrors(object, old), ...approvalErrors(object, old)]
    : storedVersionErrors(object);
}

/** Objects may lie in the store in these versions: none of them can go while that is so. */
function storedVersionErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('status', 'storedVersions');
  const stored = asTexts(asObject(object['status'])?.['storedVersions']);
  const names = asObjects(asObject(object['spec'])?.['versions']).map(version => version['name']);
  if (stored.length === 0) return [invalidField(path, stored, 'must have at least one stored version')];
  return stored.flatMap((version, index) =>
    names.includes(version) ? [] : [invalidField(path.index(index), version, 'must appear in spec.versions')],
  );
}

/** What is written from now on is found by its version later. */
function storageVersionErrors(object: ApiObject): FieldError[] {
  const stored = asTexts(asObject(object['status'])?.['storedVersions']);
  const missing = asObjects(asObject(object['spec'])?.['versions'])
    .filter(version => version['storage'] === true)
    .map(version => asText(version['name']))
    .find(name => !stored.includes(name));
  if (missing === undefined || stored.length === 0) return [];
  const why = `must have the storage version ${missing}`;
  return [invalidField(fieldPath('status', 'storedVersions'), stored, why)];
}

function immutableErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const always = [['group'], ['scope'], ['names', 'plural']];
  const onceServed = [
    ['names', 'kind'],
    ['names', 'listKind'],
  ];
  return (isEstablished(old) ? [...always, ...onceServed] : always).flatMap(keys => {
    const [before, after] = [textAt(old, keys), textAt(object, keys)];
    return before === after ? [] : [invalidField(specPath.child(...keys), after, 'field is immutable')];
  });
}

function isEstablished(object: ApiObject): boolean {
  return asObjects(asObject(object['status'])?.['conditions']).some(
    condition => condition['type'] === 'Established' && condition['status'] === 'True',
  );
}

function textAt(object: ApiObject, keys: readonly string[]): string {
  const parent = keys
    .slice(0, -1)
    .reduce<JsonObject | undefined>((found, key) => asObject(found?.[key]), asObject(object['spec']));
  return asText(parent?.[keys.at(-1) ?? '']);
}
