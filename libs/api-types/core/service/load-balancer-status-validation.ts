import { isIP } from 'node:net';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
  validateIpAddress,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { LoadBalancerIngress, LoadBalancerStatus, PortStatus } from '../../generated/core/v1.ts';

const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** Validates status.loadBalancer: addresses, host names, and ports with protocols. */
export function loadBalancerStatusErrors(status: LoadBalancerStatus): FieldError[] {
  const path = fieldPath('status', 'loadBalancer', 'ingress');
  return (status.ingress ?? []).flatMap((ingress, index) => [
    ...addressErrors(ingress, path.index(index)),
    ...(ingress.ports ?? []).flatMap((port, position) =>
      portErrors(port, path.index(index).child('ports').index(position)),
    ),
  ]);
}

function addressErrors({ ip = '', hostname = '' }: LoadBalancerIngress, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (ip !== '')
    errors.push(...validateIpAddress(ip).map(message => invalidField(path.child('ip'), ip, message)));
  if (hostname === '') return errors;
  const at = path.child('hostname');
  errors.push(...validateDnsSubdomain(hostname).map(message => invalidField(at, hostname, message)));
  if (isIP(hostname) !== 0) errors.push(invalidField(at, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}

function portErrors(status: PortStatus, path: FieldPath): FieldError[] {
  const { port = 0, protocol = '', error = '' } = status;
  return [
    ...validatePortNumber(port).map(message => invalidField(path.child('port'), port, message)),
    ...(protocol === '' ? [requiredField(path.child('protocol'))] : []),
    ...(protocol === '' || protocols.includes(protocol)
      ? []
      : [notSupportedField(path.child('protocol'), protocol, protocols)]),
    ...(error === ''
      ? []
      : validateQualifiedName(error).map(message => invalidField(path.child('error'), error, message))),
  ];
}
