import {
  type ApiObject,
  copyJson,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  type JsonObject,
  notFoundField,
} from '@binnacle/api-objects';
import { asObjects, asText, ensureObject } from '../values/json-access.ts';
import { addedContainerErrors } from './container-validation.ts';
import { specOf } from './service-facts.ts';

const key = 'ephemeralContainers';
/** What is planned for with a pod's place and life: a container that comes later has no say in it. */
const forbiddenFields = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
];

/** Takes from an object nothing but its ephemeral containers; the rest is as it was. */
export function keepEphemeralContainers(object: ApiObject, old: ApiObject): void {
  const wanted = specOf(object)[key];
  const { resourceVersion } = object.metadata;
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, copyJson(old));
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (wanted === undefined) delete specOf(object)[key];
  else ensureObject(object, 'spec')[key] = wanted;
}

/** The findings about a change of ephemeral containers: those that are there stay as they are, others may be added. */
export function ephemeralContainersErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const path = fieldPath('spec', key);
  const before = new Map(asObjects(old[key]).map(container => [asText(container['name']), container]));
  const wanted = asObjects(spec[key]);
  const errors: FieldError[] = [];
  for (const [index, container] of wanted.entries()) {
    const known = before.get(asText(container['name']));
    if (known === undefined) errors.push(...additionErrors(container, spec, path.index(index)));
    else if (!equalJson(known, container))
      errors.push(
        forbiddenField(
          path,
          `existing ephemeral containers ${JSON.stringify(asText(known['name']))} may not be changed`,
        ),
      );
  }
  const names = new Set(wanted.map(container => asText(container['name'])));
  for (const name of before.keys())
    if (!names.has(name))
      errors.push(
        forbiddenField(path, `existing ephemeral containers ${JSON.stringify(name)} may not be removed`),
      );
  return errors;
}

function additionErrors(container: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const errors = addedContainerErrors(container, spec, path);
  for (const field of forbiddenFields)
    if (!isUnset(container[field]))
      errors.push(forbiddenField(path.child(field), 'cannot be set for an Ephemeral Container'));
  for (const [index, mount] of asObjects(container['volumeMounts']).entries())
    for (const field of ['subPath', 'subPathExpr'])
      if (asText(mount[field]) !== '')
        errors.push(
          forbiddenField(
            path.child('volumeMounts').index(index).child(field),
            'cannot be set for an Ephemeral Container',
          ),
        );
  const target = asText(container['targetContainerName']);
  const targets = [...asObjects(spec['containers']), ...asObjects(spec['initContainers'])];
  if (target !== '' && !targets.some(other => asText(other['name']) === target))
    errors.push(notFoundField(path.child('targetContainerName'), target));
  return errors;
}

function isUnset(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
