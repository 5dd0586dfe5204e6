import {
  duplicateField,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  validateDnsSubdomain,
  validateIpAddress,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Pod, PodCondition, PodStatus } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';
import { ipFamilyFromAddress } from '../addresses/ip-addresses.ts';
import { podAnnotationErrors } from './pod-annotations.ts';

const status$ = fieldPath('status');
const systemConditions = ['Initialized', 'PodScheduled', 'Ready'];

/** Validates the status of a pod. */
export function podStatusErrors(object: Pod, old: Pod): FieldError[] {
  const { status = {} } = object;
  const { status: before = {} } = old;
  const restartPolicy = old.spec?.restartPolicy ?? '';
  return [
    // A status write is validated with the metadata that the pod will have.
    ...podAnnotationErrors(
      object.metadata.annotations ?? {},
      object.spec ?? {},
      fieldPath('metadata', 'annotations'),
    ),
    ...conditionErrors(status.conditions ?? []),
    ...nominationErrors(status.nominatedNodeName ?? '', before.nominatedNodeName ?? ''),
    ...revivalErrors({ status, before, list: 'containerStatuses', restartPolicy }),
    ...revivalErrors({ status, before, list: 'initContainerStatuses', restartPolicy }),
    // Ephemeral containers are never restarted, regardless of the restart policy.
    ...revivalErrors({ status, before, list: 'ephemeralContainerStatuses', restartPolicy: 'Never' }),
    ...addressErrors((status.podIPs ?? []).map(entry => entry.ip ?? '')),
  ];
}

/** kube-apiserver reports condition types at a path below metadata. */
function conditionErrors(conditions: readonly PodCondition[]): FieldError[] {
  return conditions.flatMap(({ type = '' }, index) => {
    if (systemConditions.includes(type)) return [];
    const at = fieldPath('metadata', 'conditions').index(index).child('Type');
    return validateQualifiedName(type).map(message => invalidField(at, type, message));
  });
}

function nominationErrors(name: string, before: string): FieldError[] {
  if (name === '' || name === before) return [];
  const at = status$.child('nominatedNodeName');
  return validateDnsSubdomain(name).map(message => invalidField(at, name, message));
}

/** Validates that there is at most one address of each family. */
function addressErrors(addresses: readonly string[]): FieldError[] {
  const path = status$.child('podIPs');
  const errors = addresses.flatMap((address, index) =>
    validateIpAddress(address).map(message => invalidField(path.index(index), address, message)),
  );
  if (errors.length > 0 || addresses.length < 2) return errors;
  const families = new Set(addresses.map(ipFamilyFromAddress));
  if (addresses.length > families.size)
    errors.push(invalidField(path, addresses, 'may specify no more than one IP for each IP family'));
  for (const [index, address] of addresses.entries())
    if (isRepeated(addresses, index)) errors.push(duplicateField(path.index(index), { ip: address }));
  return errors;
}

interface Reports {
  readonly status: PodStatus;
  readonly before: PodStatus;
  readonly list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';
  readonly restartPolicy: string;
}

/** A container that has terminated for good must not run again. */
function revivalErrors({ status, before, list, restartPolicy }: Reports): FieldError[] {
  if (restartPolicy === 'Always' || restartPolicy === '') return [];
  // Of duplicate names the first counts; it is inserted last.
  const now = new Map((status[list] ?? []).toReversed().map(container => [container.name, container]));
  return (before[list] ?? []).flatMap((earlier, index) => {
    const terminated = earlier.state?.terminated;
    const mayRestart = restartPolicy === 'OnFailure' && (terminated?.exitCode ?? 0) !== 0;
    if (!terminated || mayRestart) return [];
    const later = now.get(earlier.name);
    if (!later || later.state?.terminated) return [];
    return [
      forbiddenField(
        status$.child(list).index(index).child('state'),
        'may not be transitioned to non-terminated state',
      ),
    ];
  });
}
