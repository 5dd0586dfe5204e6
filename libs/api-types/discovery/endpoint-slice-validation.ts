import {
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  tooManyField,
  validateDnsLabel,
  validateDnsSubdomain,
  validateFullyQualifiedDomainName,
  validateIPv4Address,
  validateIPv6Address,
  validateLabelValue,
  validatePortNumber,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { endpointAddressErrors } from '../core/addresses/ip-addresses.ts';
import type { Endpoint, EndpointPort, EndpointSlice, ForZone } from '../generated/discovery/v1.ts';
import { isRepeated } from '../values/repeated-values.ts';

const mostEndpoints = 1000;
const mostAddresses = 100;
const mostPorts = 100;
const mostZoneHints = 8;

/** Validates an endpoint slice; closed sets of values are validated elsewhere (spec/3, EndpointSlice). */
export function endpointSliceErrors(object: EndpointSlice): FieldError[] {
  const addressType = object.addressType ?? '';
  return [
    ...(addressType === '' ? [requiredField('addressType')] : []),
    ...endpointsErrors(object.endpoints ?? [], addressType),
    ...portsErrors(object.ports ?? [], fieldPath('ports')),
  ];
}

/** Validates that the address type of a slice does not change. */
export function addressTypeChangeErrors(object: EndpointSlice, old: EndpointSlice): FieldError[] {
  if (object.addressType === old.addressType) return [];
  return [invalidField('addressType', object.addressType ?? '', 'field is immutable')];
}

function endpointsErrors(endpoints: readonly Endpoint[], addressType: string): FieldError[] {
  const path = fieldPath('endpoints');
  if (endpoints.length > mostEndpoints) return [tooManyField(path, endpoints.length, mostEndpoints)];
  return endpoints.flatMap((endpoint, index) => endpointErrors(endpoint, addressType, path.index(index)));
}

function endpointErrors(endpoint: Endpoint, addressType: string, path: FieldPath): FieldError[] {
  const addresses = endpoint.addresses ?? [];
  const at = path.child('addresses');
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(requiredField(at, 'must contain at least 1 address'));
  else if (addresses.length > mostAddresses) errors.push(tooManyField(at, addresses.length, mostAddresses));
  else
    errors.push(
      ...addresses.flatMap((address, index) => addressErrors(address, addressType, at.index(index))),
    );
  return [
    ...errors,
    ...nameErrors(endpoint, path),
    ...zoneHintErrors(endpoint.hints?.forZones ?? [], path.child('hints', 'forZones')),
  ];
}

function addressErrors(address: string, addressType: string, path: FieldPath): FieldError[] {
  const invalid = (message: string) => invalidField(path, address, message);
  switch (addressType) {
    // An invalid address fails both checks.
    case 'IPv4':
      return [...validateIPv4Address(address).map(invalid), ...endpointAddressErrors(address, path)];
    case 'IPv6':
      return [...validateIPv6Address(address).map(invalid), ...endpointAddressErrors(address, path)];
    case 'FQDN':
      return validateFullyQualifiedDomainName(address).map(invalid);
    default:
      return [];
  }
}

function nameErrors(endpoint: Endpoint, path: FieldPath): FieldError[] {
  return (
    [
      ['nodeName', validateDnsSubdomain],
      ['hostname', validateDnsLabel],
    ] as const
  ).flatMap(([field, rule]) => {
    const value = endpoint[field];
    return typeof value === 'string'
      ? rule(value).map(message => invalidField(path.child(field), value, message))
      : [];
  });
}

function zoneHintErrors(zones: readonly ForZone[], path: FieldPath): FieldError[] {
  if (zones.length > mostZoneHints) return [tooManyField(path, zones.length, mostZoneHints)];
  const names = zones.map(zone => zone.name ?? '');
  return names.flatMap((name, index) => {
    const at = path.index(index).child('name');
    if (isRepeated(names, index)) return [duplicateField(at, name)];
    return validateLabelValue(name).map(message => invalidField(at, name, message));
  });
}

function portsErrors(ports: readonly EndpointPort[], path: FieldPath): FieldError[] {
  if (ports.length > mostPorts) return [tooManyField(path, ports.length, mostPorts)];
  const names = ports.map(port => port.name ?? '');
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const name = names[index] ?? '';
    return [
      ...(name === ''
        ? []
        : validateDnsLabel(name).map(message => invalidField(at.child('name'), name, message))),
      ...(isRepeated(names, index) ? [duplicateField(at.child('name'), name)] : []),
      ...portErrors(port, at),
    ];
  });
}

function portErrors(port: EndpointPort, path: FieldPath): FieldError[] {
  const { port: number, appProtocol } = port;
  return [
    ...(typeof number === 'number'
      ? validatePortNumber(number).map(message => invalidField(path.child('port'), number, message))
      : []),
    ...((port.protocol ?? '') === '' ? [requiredField(path.child('protocol'))] : []),
    ...(typeof appProtocol === 'string'
      ? validateQualifiedName(appProtocol).map(message =>
          invalidField(path.child('appProtocol'), appProtocol, message),
        )
      : []),
  ];
}
