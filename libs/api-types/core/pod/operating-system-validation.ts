import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { PodSecurityContext, PodSpec, SecurityContext } from '../../generated/core/v1.ts';

const systems = ['linux', 'windows'];
const linuxPodFields = ['hostPID', 'hostIPC', 'shareProcessNamespace'] as const;
const linuxPodRights = [
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
] as const satisfies readonly (keyof PodSecurityContext)[];
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
] as const satisfies readonly (keyof SecurityContext)[];

/** Validates that a pod that names its operating system does not use features of the other one. */
export function operatingSystemErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const errors = hostProcessErrors(spec, path);
  const { os } = spec;
  if (!os) return errors;
  const name = os.name ?? '';
  if (name === '') return [...errors, requiredField(path.child('os', 'name'), 'cannot be empty')];
  if (!systems.includes(name)) return [...errors, notSupportedField(path.child('os'), name, systems)];
  return [...errors, ...(name === 'windows' ? windowsErrors(spec, path) : linuxErrors(spec, path))];
}

interface Rights<Context = PodSecurityContext | SecurityContext> {
  readonly rights: Context;
  readonly path: FieldPath;
}

function containerRights(spec: PodSpec, path: FieldPath): Rights<SecurityContext>[] {
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap(list =>
    (spec[list] ?? []).map((container, index) => ({
      rights: container.securityContext ?? {},
      path: path.child(list).index(index).child('securityContext'),
    })),
  );
}

function podRights(spec: PodSpec, path: FieldPath): Rights<PodSecurityContext> {
  return { rights: spec.securityContext ?? {}, path: path.child('securityContext') };
}

function forbiddenFields<Context>(
  { rights, path }: Rights<Context>,
  fields: readonly (keyof Context & string)[],
  os: string,
): FieldError[] {
  return fields
    .filter(field => rights[field] !== undefined)
    .map(field => forbiddenField(path.child(field), `cannot be set for a ${os} pod`));
}

function windowsErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...linuxPodFields
      .filter(
        field => spec[field] === true || (field === 'shareProcessNamespace' && spec[field] !== undefined),
      )
      .map(field => forbiddenField(path.child(field), 'cannot be set for a windows pod')),
    ...forbiddenFields(podRights(spec, path), linuxPodRights, 'windows'),
    ...containerRights(spec, path).flatMap(rights =>
      forbiddenFields(rights, linuxContainerRights, 'windows'),
    ),
  ];
}

function linuxErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return [podRights(spec, path), ...containerRights(spec, path)].flatMap(rights =>
    forbiddenFields(rights, ['windowsOptions'], 'linux'),
  );
}

/** If a container runs as host process, all containers must, and the pod must use the host network. */
function hostProcessErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  const forPod = isHostProcess(podRights(spec, path).rights);
  const all = containerRights(spec, path);
  const containers = all.map(({ rights }) => isHostProcess(rights) ?? forPod ?? false);
  const errors = all.flatMap(({ rights, path: at }) => {
    const own = isHostProcess(rights);
    if (own === undefined || forPod === undefined || own === forPod) return [];
    const detail = `pod hostProcess value must be identical if both are specified, was ${forPod}`;
    return [invalidField(at.child('windowsOptions', 'hostProcess'), own, detail)];
  });
  if (!containers.includes(true)) return errors;
  if (containers.includes(false))
    errors.push(
      invalidField(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    );
  if (spec.hostNetwork !== true)
    errors.push(
      invalidField(
        path.child('hostNetwork'),
        spec.hostNetwork ?? false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    );
  return errors;
}

function isHostProcess(rights: PodSecurityContext | SecurityContext): boolean | undefined {
  return rights.windowsOptions?.hostProcess;
}
