import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validateIpAddress,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { endpointAddressErrors } from './addresses/ip-addresses.ts';

/** The rules of Endpoints objects: usable addresses, port names. */
export const endpointsRules: KindRules<Endpoints> = {
  createOnUpdate: true,
  validate: object => {
    const path = fieldPath('subsets');
    return (object.subsets ?? []).flatMap((subset, index) => subsetErrors(subset, path.index(index)));
  },
  columns: [nameColumn, column('Endpoints', 'Addresses and ports that take traffic.'), ageColumn],
  cells: (object, now) => [nameCell(object), endpointsCell(object), ageCell(object, now)],
};

const shownEndpoints = 3;

function subsetErrors(subset: EndpointSubset, path: FieldPath): FieldError[] {
  const ready = subset.addresses ?? [];
  const notReady = subset.notReadyAddresses ?? [];
  const errors: FieldError[] = [];
  if (ready.length + notReady.length === 0)
    errors.push(requiredField(path, 'must have `addresses` or `notReadyAddresses`'));
  for (const [index, address] of ready.entries())
    errors.push(...addressErrors(address, path.child('addresses').index(index)));
  for (const [index, address] of notReady.entries())
    errors.push(...addressErrors(address, path.child('notReadyAddresses').index(index)));
  errors.push(...contradictionErrors(ready, notReady, path.child('notReadyAddresses')));
  return [...errors, ...portErrors(subset.ports ?? [], path.child('ports'))];
}

function addressErrors(address: EndpointAddress, path: FieldPath): FieldError[] {
  const ip = address.ip ?? '';
  const errors = [
    // An invalid address fails this and the next check.
    ...validateIpAddress(ip).map(message => invalidField(path.child('ip'), ip, message)),
    ...endpointAddressErrors(ip, path.child('ip')),
  ];
  const hostname = address.hostname ?? '';
  const nodeName = address.nodeName;
  if (hostname !== '')
    errors.push(
      ...validateDnsLabel(hostname).map(message => invalidField(path.child('hostname'), hostname, message)),
    );
  if (nodeName !== undefined)
    errors.push(
      ...validateDnsSubdomain(nodeName).map(message =>
        invalidField(path.child('nodeName'), nodeName, message),
      ),
    );
  return errors;
}

/** An address of an object must not be both ready and not ready (spec/3, Endpoints). */
function contradictionErrors(
  ready: readonly EndpointAddress[],
  notReady: readonly EndpointAddress[],
  path: FieldPath,
): FieldError[] {
  const identities = new Set(ready.map(addressIdentity));
  return notReady.flatMap((address, index) =>
    identities.has(addressIdentity(address))
      ? [duplicateField(path.index(index).child('ip'), address.ip)]
      : [],
  );
}

/** Addresses of different objects that share a host's address are distinguished. */
function addressIdentity(address: EndpointAddress): string {
  return `${address.ip ?? ''}/${address.targetRef?.uid ?? ''}`;
}

function portErrors(ports: readonly EndpointPort[], path: FieldPath): FieldError[] {
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = port.name ?? '';
    const errors: FieldError[] = [];
    if (name === '') {
      if (ports.length > 1) errors.push(requiredField(at.child('name')));
    } else {
      errors.push(...validateDnsLabel(name).map(message => invalidField(at.child('name'), name, message)));
    }
    const number = port.port ?? 0;
    errors.push(
      ...validatePortNumber(number).map(message => invalidField(at.child('port'), number, message)),
    );
    const protocol = port.appProtocol;
    if (protocol !== undefined)
      errors.push(
        ...validateQualifiedName(protocol).map(message =>
          invalidField(at.child('appProtocol'), protocol, message),
        ),
      );
    return errors;
  });
}

function endpointsCell(object: Endpoints): string {
  const all = (object.subsets ?? []).flatMap(subset => {
    const ports = subset.ports ?? [];
    const addresses = (subset.addresses ?? []).map(address => address.ip ?? '');
    if (ports.length === 0) return addresses;
    return ports.flatMap(port => addresses.map(address => hostPort(address, port.port ?? 0)));
  });
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, shownEndpoints).join(',');
  return all.length > shownEndpoints ? `${shown} + ${all.length - shownEndpoints} more...` : shown;
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
