import {
  type ApiObject,
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validateIpAddress,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { endpointAddressErrors } from './ip-addresses.ts';

/** The rules of Endpoints objects: usable addresses, named ports. */
export const endpointsRules: KindRules = {
  createOnUpdate: true,
  validate: object => {
    const path = fieldPath('subsets');
    return asObjects(object['subsets']).flatMap((subset, index) => subsetErrors(subset, path.index(index)));
  },
  columns: [nameColumn, column('Endpoints', 'Addresses and ports that take traffic.'), ageColumn],
  cells: (object, now) => [nameOf(object), endpointsOf(object), ageOf(object, now)],
};

const shownEndpoints = 3;

function subsetErrors(subset: JsonObject, path: FieldPath): FieldError[] {
  const ready = asObjects(subset['addresses']);
  const notReady = asObjects(subset['notReadyAddresses']);
  const errors: FieldError[] = [];
  if (ready.length + notReady.length === 0)
    errors.push(requiredField(path, 'must have `addresses` or `notReadyAddresses`'));
  for (const [index, address] of ready.entries())
    errors.push(...addressErrors(address, path.child('addresses').index(index)));
  for (const [index, address] of notReady.entries())
    errors.push(...addressErrors(address, path.child('notReadyAddresses').index(index)));
  errors.push(...contradictionErrors(ready, notReady, path.child('notReadyAddresses')));
  return [...errors, ...portErrors(asObjects(subset['ports']), path.child('ports'))];
}

function addressErrors(address: JsonObject, path: FieldPath): FieldError[] {
  const ip = asText(address['ip']);
  const errors = [
    // What is no address at all fails this check and the next one.
    ...validateIpAddress(ip).map(message => invalidField(path.child('ip'), ip, message)),
    ...endpointAddressErrors(ip, path.child('ip')),
  ];
  const hostname = asText(address['hostname']);
  const nodeName = address['nodeName'];
  if (hostname !== '')
    errors.push(
      ...validateDnsLabel(hostname).map(message => invalidField(path.child('hostname'), hostname, message)),
    );
  if (typeof nodeName === 'string')
    errors.push(
      ...validateDnsSubdomain(nodeName).map(message =>
        invalidField(path.child('nodeName'), nodeName, message),
      ),
    );
  return errors;
}

/** An address with the object behind it is ready or is not (spec/3, Endpoints). */
function contradictionErrors(
  ready: readonly JsonObject[],
  notReady: readonly JsonObject[],
  path: FieldPath,
): FieldError[] {
  const identities = new Set(ready.map(identityOf));
  return notReady.flatMap((address, index) =>
    identities.has(identityOf(address)) ? [duplicateField(path.index(index).child('ip'), address['ip'])] : [],
  );
}

/** Objects that share the address of a host are told apart. */
function identityOf(address: JsonObject): string {
  return `${asText(address['ip'])}/${asText(asObject(address['targetRef'])?.['uid'])}`;
}

function portErrors(ports: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = asText(port['name']);
    const errors: FieldError[] = [];
    if (name === '') {
      if (ports.length > 1) errors.push(requiredField(at.child('name')));
    } else {
      errors.push(...validateDnsLabel(name).map(message => invalidField(at.child('name'), name, message)));
      if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
      names.add(name);
    }
    const number = asNumber(port['port']);
    errors.push(
      ...validatePortNumber(number).map(message => invalidField(at.child('port'), number, message)),
    );
    const protocol = asText(port['appProtocol']);
    if (protocol !== '')
      errors.push(
        ...validateQualifiedName(protocol).map(message =>
          invalidField(at.child('appProtocol'), protocol, message),
        ),
      );
    return errors;
  });
}

function endpointsOf(object: ApiObject): string {
  const all = asObjects(object['subsets']).flatMap(subset => {
    const ports = asObjects(subset['ports']);
    const addresses = asObjects(subset['addresses']).map(address => asText(address['ip']));
    if (ports.length === 0) return addresses;
    return ports.flatMap(port => addresses.map(address => hostPort(address, asNumber(port['port']))));
  });
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, shownEndpoints).join(',');
  return all.length > shownEndpoints ? `${shown} + ${all.length - shownEndpoints} more...` : shown;
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
