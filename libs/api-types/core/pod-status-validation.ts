import {
  type ApiObject,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  validateDnsSubdomain,
  validateIpAddress,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { ipFamilyOf } from './ip-addresses.ts';
import { specOf } from './service-facts.ts';

const status$ = fieldPath('status');

/** The findings about what a node reports of a pod. */
export function podStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const status = asObject(object['status']) ?? {};
  const before = asObject(old['status']) ?? {};
  const nominated = asText(status['nominatedNodeName']);
  return [
    ...(nominated === ''
      ? []
      : validateDnsSubdomain(nominated).map(message =>
          invalidField(status$.child('nominatedNodeName'), nominated, message),
        )),
    ...addressErrors(asObjects(status['podIPs']).map(entry => asText(entry['ip']))),
    ...['containerStatuses', 'initContainerStatuses'].flatMap(list =>
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
function restartPolicyOf(object: ApiObject, list: string): string {
  const policy = asText(specOf(object)['restartPolicy']);
  return list === 'initContainerStatuses' && policy === 'Always' ? 'OnFailure' : policy;
}

interface Reports {
  readonly status: JsonObject;
  readonly before: JsonObject;
  readonly list: string;
  readonly restartPolicy: string;
}

/** A container that has ended for good does not run again. */
function revivalErrors({ status, before, list, restartPolicy }: Reports): FieldError[] {
  if (restartPolicy === 'Always' || restartPolicy === '') return [];
  return asObjects(before[list]).flatMap((earlier, index) => {
    const terminated = asObject(asObject(earlier['state'])?.['terminated']);
    const mayRestart = restartPolicy === 'OnFailure' && asNumber(terminated?.['exitCode']) !== 0;
    if (!terminated || mayRestart) return [];
    const later = asObjects(status[list]).find(container => container['name'] === earlier['name']);
    const state = asObject(later?.['state']);
    if (!later || asObject(state?.['terminated'])) return [];
    return [
      forbiddenField(
        status$.child(list).index(index).child('state'),
        'may not be transitioned to non-terminated state',
      ),
    ];
  });
}
