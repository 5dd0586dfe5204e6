import {
  duplicateField,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notFoundField,
  requiredField,
  validateDnsLabel,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '../json-access.ts';
import { environmentErrors } from './environment-validation.ts';
import { lifecycleErrors, probeErrors } from './probe-validation.ts';
import { resourceErrors } from './resource-amount-validation.ts';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** The findings about all containers of a pod's spec, names unique across the lists. */
export function containersErrors(
  spec: JsonObject,
  path: FieldPath,
  furtherVolumes: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (asObjects(spec['containers']).length === 0) errors.push(requiredField(path.child('containers')));
  const volumes = new Set([
    ...asObjects(spec['volumes']).map(volume => asText(volume['name'])),
    ...furtherVolumes,
  ]);
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of asObjects(spec[list]).entries()) {
      const at = path.child(list).index(index);
      errors.push(
        ...containerErrors(container, at),
        ...mountErrors(container, volumes, at.child('volumeMounts')),
      );
      if (list === 'initContainers') errors.push(...initContainerErrors(container, at));
      if (spec['hostNetwork'] === true) errors.push(...hostNetworkErrors(container, at.child('ports')));
      const name = asText(container['name']);
      if (name !== '' && names.has(name)) errors.push(duplicateField(at.child('name'), name));
      names.add(name);
    }
  }
  return errors;
}

/** The findings about a container that joins those of a pod's spec: it stands at `path`, which ends with its index. */
export function addedContainerErrors(container: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const volumes = new Set(asObjects(spec['volumes']).map(volume => asText(volume['name'])));
  const name = asText(container['name']);
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  const named = lists.flatMap(list => asObjects(spec[list])).filter(other => asText(other['name']) === name);
  return [
    ...containerErrors(container, path),
    ...mountErrors(container, volumes, path.child('volumeMounts')),
    ...(name !== '' && named.length > 1 ? [duplicateField(path.child('name'), name)] : []),
  ];
}

function containerErrors(container: JsonObject, path: FieldPath): FieldError[] {
  const name = asText(container['name']);
  const image = asText(container['image']);
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(path.child('name')));
  else errors.push(...validateDnsLabel(name).map(message => invalidField(path.child('name'), name, message)));
  if (image === '') errors.push(requiredField(path.child('image')));
  else if (image !== image.trim())
    errors.push(invalidField(path.child('image'), image, 'must not have leading or trailing spaces'));
  if (asText(container['imagePullPolicy']) === '') errors.push(requiredField(path.child('imagePullPolicy')));
  errors.push(...portErrors(asObjects(container['ports']), path.child('ports')));
  errors.push(...environmentErrors(container, path));
  for (const probe of probes) {
    const settings = asObject(container[probe]);
    if (settings)
      errors.push(
        ...probeErrors(settings, { path: path.child(probe), isReadiness: probe === 'readinessProbe' }),
      );
  }
  errors.push(...lifecycleErrors(asObject(container['lifecycle']) ?? {}, path.child('lifecycle')));
  errors.push(...resourceErrors(asObject(container['resources']) ?? {}, path.child('resources')));
  return errors;
}

/** Init containers run to their end before the others start: nothing watches them. */
function initContainerErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return ['lifecycle', ...probes]
    .filter(field => asObject(container[field]) !== undefined)
    .map(field => forbiddenField(path.child(field), 'may not be set for init containers'));
}

function portErrors(ports: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const name = asText(port['name']);
    if (name !== '') {
      errors.push(...validatePortName(name).map(message => invalidField(at.child('name'), name, message)));
      if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
      names.add(name);
    }
    const number = asNumber(port['containerPort']);
    if (number === 0) errors.push(requiredField(at.child('containerPort')));
    else
      errors.push(...validatePortNumber(number).map(m => invalidField(at.child('containerPort'), number, m)));
    const hostPort = asNumber(port['hostPort']);
    if (hostPort !== 0)
      errors.push(...validatePortNumber(hostPort).map(m => invalidField(at.child('hostPort'), hostPort, m)));
    return errors;
  });
}

function hostNetworkErrors(container: JsonObject, path: FieldPath): FieldError[] {
  return asObjects(container['ports']).flatMap((port, index) =>
    port['hostPort'] === port['containerPort']
      ? []
      : [
          invalidField(
            path.index(index).child('containerPort'),
            port['containerPort'] ?? null,
            'must match `hostPort` when `hostNetwork` is true',
          ),
        ],
  );
}

function mountErrors(container: JsonObject, volumes: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const mountPaths = new Set<string>();
  return asObjects(container['volumeMounts']).flatMap((mount, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const name = asText(mount['name']);
    const mountPath = asText(mount['mountPath']);
    if (name === '') errors.push(requiredField(at.child('name')));
    if (!volumes.has(name)) errors.push(notFoundField(at.child('name'), name));
    if (mountPath === '') errors.push(requiredField(at.child('mountPath')));
    if (mountPaths.has(mountPath))
      errors.push(invalidField(at.child('mountPath'), mountPath, 'must be unique'));
    mountPaths.add(mountPath);
    const subPath = asText(mount['subPath']);
    const subPathExpr = asText(mount['subPathExpr']);
    if (subPath !== '' && subPathExpr !== '')
      errors.push(
        invalidField(at.child('subPathExpr'), subPathExpr, 'may not be used together with `subPath`'),
      );
    errors.push(...relativePathErrors(subPath, at.child('subPath')));
    errors.push(...relativePathErrors(subPathExpr, at.child('subPathExpr')));
    return errors;
  });
}

function relativePathErrors(value: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (value.startsWith('/')) errors.push(invalidField(path, value, 'must be a relative path'));
  if (value.split('/').includes('..')) errors.push(invalidField(path, value, "must not contain '..'"));
  return errors;
}
