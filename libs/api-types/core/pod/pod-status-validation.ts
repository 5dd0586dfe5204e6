import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  validateDnsSubdomain,
  validateIpAddress,
} from '@binnacle/api-objects';
import type { Pod, PodStatus } from '../../generated/core/v1.ts';
import { ipFamilyOf } from '../addresses/ip-addresses.ts';

const status$ = fieldPath('status');
const watched = ['containerStatuses', 'initContainerStatuses'] as const;

/** The findings about what a node reports of a pod. */
export function podStatusErrors(object: Pod, old: Pod): FieldError[] {
  const { status = {} } = object;
  const { status: before = {} } = old;
  const nominated = status.nominatedNodeName ?? '';
  return [
    ...(nominated === ''
      ? []
      : validateDnsSubdomain(nominated).map(message =>
          invalidField(status$.child('nominatedNodeName'), nominated, message),
        )),
    ...addressErrors((status.podIPs ?? []).map(entry => entry.ip ?? '')),
    ...watched.flatMap(list =>
      revivalErrors({ status, before, list, restartPolicy: restartPolicyOf(object, list) }),
    ),
  ];
}

/** At most one address of each family. */
function addressErrors(addresses: readonly string[]): FieldError[] {
  const path = status$.child('podIPs');
  const errors = addresses.flatMap((address, index) =>
    validateIpAddress(address).map(message => invalidField(path.index(index), address, message)),
  );
  if (errors.length > 0) return errors;
  const families = new Set(addresses.map(ipFamilyOf));
  return addresses.length > families.size
    ? [invalidField(path, addresses, 'may specify no more than one IP for each IP family')]
    : [];
}

/** Init containers that failed are started again unless the pod never is. */
function restartPolicyOf(object: Pod, list: Reports['list']): string {
  const policy = object.spec?.restartPolicy ?? '';
  return list === 'initContainerStatuses' && policy === 'Always' ? 'OnFailure' : policy;
}

interface Reports {
  readonly status: PodStatus;
  readonly before: PodStatus;
  readonly list: (typeof watched)[number];
  readonly restartPolicy: string;
}

/** A container that has ended for good does not run again. */
function revivalErrors({ status, before, list, restartPolicy }: Reports): FieldError[] {
  if (restartPolicy === 'Always' || restartPolicy === '') return [];
  return (before[list] ?? []).flatMap((earlier, index) => {
    const terminated = earlier.state?.terminated;
    const mayRestart = restartPolicy === 'OnFailure' && (terminated?.exitCode ?? 0) !== 0;
    if (!terminated || mayRestart) return [];
    const later = (status[list] ?? []).find(container => container.name === earlier.name);
    if (!later || later.state?.terminated) return [];
    return [
      forbiddenField(
        status$.child(list).index(index).child('state'),
        'may not be transitioned to non-terminated state',
      ),
    ];
  });
}
