import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '../values/json-access.ts';

const systems = ['linux', 'windows'];
const linuxPodFields = ['hostPID', 'hostIPC', 'shareProcessNamespace'];
const linuxPodRights = [
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
];
const linuxContainerRights = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** The findings about what a pod asks of its operating system: nothing that the other one has, where it names one. */
export function operatingSystemErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const errors = hostProcessErrors(spec, path);
  const os = asObject(spec['os']);
  if (!os) return errors;
  const name = asText(os['name']);
  if (name === '') return [...errors, requiredField(path.child('os', 'name'), 'cannot be empty')];
  if (!systems.includes(name)) return [...errors, notSupportedField(path.child('os', 'name'), name, systems)];
  return [...errors, ...(name === 'windows' ? windowsErrors(spec, path) : linuxErrors(spec, path))];
}

interface Rights {
  readonly rights: JsonObject;
  readonly path: FieldPath;
}

function containerRights(spec: JsonObject, path: FieldPath): Rights[] {
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap(list =>
    asObjects(spec[list]).map((container, index) => ({
      rights: asObject(container['securityContext']) ?? {},
      path: path.child(list).index(index).child('securityContext'),
    })),
  );
}

function podRights(spec: JsonObject, path: FieldPath): Rights {
  return { rights: asObject(spec['securityContext']) ?? {}, path: path.child('securityContext') };
}

function forbiddenFields({ rights, path }: Rights, fields: readonly string[], os: string): FieldError[] {
  return fields
    .filter(field => rights[field] !== undefined)
    .map(field => forbiddenField(path.child(field), `cannot be set for a ${os} pod`));
}

function windowsErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...linuxPodFields
      .filter(field => spec[field] === true)
      .map(field => forbiddenField(path.child(field), 'cannot be set for a windows pod')),
    ...forbiddenFields(podRights(spec, path), linuxPodRights, 'windows'),
    ...containerRights(spec, path).flatMap(rights =>
      forbiddenFields(rights, linuxContainerRights, 'windows'),
    ),
  ];
}

function linuxErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return [podRights(spec, path), ...containerRights(spec, path)].flatMap(rights =>
    forbiddenFields(rights, ['windowsOptions'], 'linux'),
  );
}

/** Containers that are processes of the machine itself come without others, on the network of the machine. */
function hostProcessErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  const forPod = isHostProcess(podRights(spec, path).rights);
  const containers = containerRights(spec, path).map(
    ({ rights }) => isHostProcess(rights) ?? forPod ?? false,
  );
  if (!containers.includes(true)) return [];
  const errors: FieldError[] = [];
  if (containers.includes(false))
    errors.push(
      invalidField(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    );
  if (spec['hostNetwork'] !== true)
    errors.push(
      invalidField(
        path.child('hostNetwork'),
        spec['hostNetwork'] ?? false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    );
  return errors;
}

function isHostProcess(rights: JsonObject): boolean | undefined {
  const value = asObject(rights['windowsOptions'])?.['hostProcess'];
  return typeof value === 'boolean' ? value : undefined;
}
