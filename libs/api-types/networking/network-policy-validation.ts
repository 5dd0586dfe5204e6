import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateLabelSelector,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import { isStrictSubset, parseCidr } from '../core/addresses/cidr.ts';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../generated/networking/v1.ts';

const spec$ = fieldPath('spec');

/** Validates a network policy; closed sets of values are validated elsewhere. */
export function networkPolicyErrors(object: NetworkPolicy): FieldError[] {
  const spec = object.spec ?? {};
  const types = spec.policyTypes ?? [];
  return [
    ...validateLabelSelector(spec.podSelector ?? {}, spec$.child('podSelector')),
    ...rulesErrors(spec.ingress ?? [], { path: spec$.child('ingress'), peers: 'from' }),
    ...rulesErrors(spec.egress ?? [], { path: spec$.child('egress'), peers: 'to' }),
    ...(types.length > 2
      ? [invalidField(spec$.child('policyTypes'), types, 'may not specify more than two policyTypes')]
      : []),
  ];
}

interface Direction {
  readonly path: FieldPath;
  /** The field of the peers. */
  readonly peers: 'from' | 'to';
}

function rulesErrors(
  rules: readonly (NetworkPolicyIngressRule & NetworkPolicyEgressRule)[],
  { path, peers }: Direction,
): FieldError[] {
  return rules.flatMap((rule, index) => [
    ...(rule.ports ?? []).flatMap((port, position) =>
      portErrors(port, path.index(index).child('ports').index(position)),
    ),
    ...(rule[peers] ?? []).flatMap((peer, position) =>
      peerErrors(peer, path.index(index).child(peers).index(position)),
    ),
  ]);
}

function portErrors(entry: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const port = entry.port ?? undefined;
  const at = path.child('port');
  const messages =
    port === undefined
      ? []
      : typeof port === 'string'
        ? validatePortName(port)
        : validatePortNumber(port ?? 0);
  return [...messages.map(message => invalidField(at, port, message)), ...endPortErrors(entry, path)];
}

function endPortErrors(entry: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const { port, endPort } = entry;
  const at = path.child('endPort');
  if (typeof endPort !== 'number') return [];
  if (port === undefined || port === null)
    return [invalidField(at, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string')
    return [invalidField(at, endPort, 'may not be specified when `port` is non-numeric')];
  return [
    ...(endPort < (port ?? 0) ? [invalidField(at, endPort, 'must be greater than or equal to `port`')] : []),
    ...validatePortNumber(endPort).map(message => invalidField(at, endPort, message)),
  ];
}

/** Validates a peer: selectors of pods and namespaces, or an IP block. */
function peerErrors(peer: NetworkPolicyPeer, path: FieldPath): FieldError[] {
  const selectors = (['podSelector', 'namespaceSelector'] as const).filter(field => peer[field]);
  const block = peer.ipBlock;
  if (selectors.length === 0 && !block) return [requiredField(path, 'must specify a peer')];
  return [
    ...selectors.flatMap(field => validateLabelSelector(peer[field] ?? {}, path.child(field))),
    ...(block ? blockErrors(block, path.child('ipBlock')) : []),
    ...(block && selectors.length > 0
      ? [forbiddenField(path, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function blockErrors(block: IPBlock, path: FieldPath): FieldError[] {
  const text = block.cidr ?? '';
  if (text === '') return [requiredField(path.child('cidr'))];
  const range = parseCidr(text);
  if (!range) return [invalidField(path.child('cidr'), text, 'not a valid CIDR')];
  return (block.except ?? []).flatMap((except, index) => {
    const at = path.child('except').index(index);
    const hole = parseCidr(except);
    if (!hole) return [invalidField(at, except, 'not a valid CIDR')];
    return isStrictSubset(hole, range) ? [] : [invalidField(at, except, 'must be a strict subset of `cidr`')];
  });
}
