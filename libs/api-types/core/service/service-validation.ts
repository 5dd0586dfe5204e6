import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateDnsSubdomain,
  validateLabels,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { Service, ServiceSpec } from '../../generated/core/v1.ts';
import { parseCidr } from '../addresses/cidr.ts';
import { endpointAddressErrors } from '../addresses/ip-addresses.ts';
import { clusterIPErrors } from './cluster-ip-validation.ts';
import {
  isHeadless,
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheckNodePort,
  readPorts,
} from './service-facts.ts';
import { servicePortErrors } from './service-port-validation.ts';

const spec$ = fieldPath('spec');
const longestAffinity = 86_400;

/** Validates a service; closed sets of values are validated elsewhere. */
export function serviceErrors({ metadata, spec = {} }: Service): FieldError[] {
  return [
    ...typeErrors(spec),
    ...servicePortErrors(spec),
    ...validateLabels(spec.selector ?? {}, spec$.child('selector')),
    ...affinityErrors(spec),
    ...clusterIPErrors(spec),
    ...(spec.externalIPs ?? []).flatMap((address, index) =>
      endpointAddressErrors(address, spec$.child('externalIPs').index(index)),
    ),
    ...sourceRangeErrors(spec, metadata.annotations ?? {}),
    ...loadBalancerErrors(spec),
    ...trafficPolicyErrors(spec),
  ];
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName') return externalNameErrors(spec.externalName ?? '');
  const errors: FieldError[] = [];
  if (readPorts(spec).length === 0 && !isHeadless(spec)) errors.push(requiredField(spec$.child('ports')));
  if (mayHaveNodePorts(spec) && isHeadless(spec))
    errors.push(
      invalidField(
        spec$.child('clusterIPs').index(0),
        'None',
        `may not be 'None' for type ${spec.type ?? ''}`,
      ),
    );
  return errors;
}

function externalNameErrors(name: string): FieldError[] {
  const path = spec$.child('externalName');
  const host = name.endsWith('.') ? name.slice(0, -1) : name;
  if (host === '') return [requiredField(path)];
  return validateDnsSubdomain(host).map(message => invalidField(path, host, message));
}

function affinityErrors(spec: ServiceSpec): FieldError[] {
  const path = spec$.child('sessionAffinityConfig');
  const config = spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'None')
    return config ? [forbiddenField(path, "must not be set when `sessionAffinity` is 'None'")] : [];
  const seconds = config?.clientIP?.timeoutSeconds;
  if (seconds === undefined || (seconds > 0 && seconds <= longestAffinity)) return [];
  const range = `must be greater than 0 and at most ${longestAffinity}`;
  return [invalidField(path.child('clientIP', 'timeoutSeconds'), seconds, range)];
}

const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

/** Validates the source ranges of a load balancer, from the field or else from the older annotation. */
function sourceRangeErrors(spec: ServiceSpec, annotations: Readonly<Record<string, string>>): FieldError[] {
  const isLoadBalancer = spec.type === 'LoadBalancer';
  const { loadBalancerSourceRanges: ranges = [] } = spec;
  // kube-apiserver capitalizes this path.
  if (ranges.length > 0) return rangesErrors(ranges, spec$.child('LoadBalancerSourceRanges'), isLoadBalancer);
  return understood.annotations.serviceSourceRanges.flatMap(key => {
    const text = annotations[key];
    if (text === undefined) return [];
    const listed = text.trim() === '' ? [] : text.trim().split(',');
    return rangesErrors(listed, fieldPath('metadata', 'annotations').key(key), isLoadBalancer);
  });
}

function rangesErrors(ranges: readonly string[], path: FieldPath, isLoadBalancer: boolean): FieldError[] {
  return [
    ...(isLoadBalancer ? [] : [forbiddenField(path, onlyForLoadBalancers)]),
    ...(ranges.every(range => parseCidr(range.trim()))
      ? []
      : [
          invalidField(path, ranges, 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24'),
        ]),
  ];
}

function loadBalancerErrors(spec: ServiceSpec): FieldError[] {
  const isLoadBalancer = spec.type === 'LoadBalancer';
  const errors: FieldError[] = [];
  const allocate = spec.allocateLoadBalancerNodePorts;
  if (isLoadBalancer && allocate === undefined)
    errors.push(requiredField(spec$.child('allocateLoadBalancerNodePorts')));
  if (!isLoadBalancer && allocate !== undefined)
    errors.push(forbiddenField(spec$.child('allocateLoadBalancerNodePorts'), onlyForLoadBalancers));
  const { loadBalancerClass } = spec;
  if (loadBalancerClass !== undefined) {
    const path = spec$.child('loadBalancerClass');
    if (!isLoadBalancer) errors.push(forbiddenField(path, onlyForLoadBalancers));
    else
      errors.push(
        ...validateQualifiedName(loadBalancerClass).map(message =>
          invalidField(path, loadBalancerClass, message),
        ),
      );
  }
  return errors;
}

function trafficPolicyErrors(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const external = spec.externalTrafficPolicy ?? '';
  const externalPath = spec$.child('externalTrafficPolicy');
  if (external !== '' && !mayHaveNodePorts(spec))
    errors.push(
      invalidField(externalPath, external, "may only be set when `type` is 'NodePort' or 'LoadBalancer'"),
    );
  if (external === '' && mayHaveNodePorts(spec)) errors.push(requiredField(externalPath));
  const healthCheck = spec.healthCheckNodePort ?? 0;
  const healthCheckPath = spec$.child('healthCheckNodePort');
  if (healthCheck < 0 || healthCheck > 65_535)
    errors.push(invalidField(healthCheckPath, healthCheck, 'must be between 0 and 65535, inclusive'));
  else if (healthCheck !== 0 && !needsHealthCheckNodePort(spec))
    errors.push(
      invalidField(
        healthCheckPath,
        healthCheck,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  if (needsClusterIP(spec) && (spec.internalTrafficPolicy ?? '') === '')
    errors.push(requiredField(spec$.child('internalTrafficPolicy')));
  return errors;
}
