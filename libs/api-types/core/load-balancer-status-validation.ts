import { isIP } from 'node:net';
import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
  validateIpAddress,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

/** The findings about status.loadBalancer: addresses and host names in their places, ports with their protocol. */
export function loadBalancerStatusErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('status', 'loadBalancer', 'ingress');
  const loadBalancer = asObject(asObject(object['status'])?.['loadBalancer']);
  return asObjects(loadBalancer?.['ingress']).flatMap((ingress, index) => [
    ...addressErrors(ingress, path.index(index)),
    ...asObjects(ingress['ports']).flatMap((port, position) =>
      portErrors(port, path.index(index).child('ports').index(position)),
    ),
  ]);
}

function addressErrors(ingress: JsonObject, path: FieldPath): FieldError[] {
  const ip = asText(ingress['ip']);
  const hostname = asText(ingress['hostname']);
  const errors: FieldError[] = [];
  if (ip !== '')
    errors.push(...validateIpAddress(ip).map(message => invalidField(path.child('ip'), ip, message)));
  if (hostname === '') return errors;
  const at = path.child('hostname');
  errors.push(...validateDnsSubdomain(hostname).map(message => invalidField(at, hostname, message)));
  if (isIP(hostname) !== 0) errors.push(invalidField(at, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}

function portErrors(port: JsonObject, path: FieldPath): FieldError[] {
  const number = asNumber(port['port']);
  const protocol = asText(port['protocol']);
  const error = asText(port['error']);
  return [
    ...validatePortNumber(number).map(message => invalidField(path.child('port'), number, message)),
    ...(protocol === '' ? [requiredField(path.child('protocol'))] : []),
    ...(protocol === '' || protocols.includes(protocol)
      ? []
      : [notSupportedField(path.child('protocol'), protocol, protocols)]),
    ...(error === ''
      ? []
      : validateQualifiedName(error).map(message => invalidField(path.child('error'), error, message))),
  ];
}
