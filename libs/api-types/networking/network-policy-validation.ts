import {
  type ApiObject,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  requiredField,
  validateLabelSelector,
  validatePortName,
  validatePortNumber,
} from '@binnacle/api-objects';
import { isStrictSubset, parseCidr } from '../core/cidr.ts';
import { specOf } from '../core/service-facts.ts';
import { asNumber, asObject, asObjects, asText, asTexts } from '../values/json-access.ts';

const spec$ = fieldPath('spec');

/** The findings about a network policy; closed sets of values are checked elsewhere. */
export function networkPolicyErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const types = asTexts(spec['policyTypes']);
  return [
    ...validateLabelSelector(asObject(spec['podSelector']) ?? {}, spec$.child('podSelector')),
    ...rulesErrors(asObjects(spec['ingress']), { path: spec$.child('ingress'), peers: 'from' }),
    ...rulesErrors(asObjects(spec['egress']), { path: spec$.child('egress'), peers: 'to' }),
    ...(types.length > 2
      ? [invalidField(spec$.child('policyTypes'), types, 'may not specify more than two policyTypes')]
      : []),
  ];
}

interface Direction {
  readonly path: FieldPath;
  /** The field that says who is at the other end. */
  readonly peers: 'from' | 'to';
}

function rulesErrors(rules: readonly JsonObject[], { path, peers }: Direction): FieldError[] {
  return rules.flatMap((rule, index) => [
    ...asObjects(rule['ports']).flatMap((port, position) =>
      portErrors(port, path.index(index).child('ports').index(position)),
    ),
    ...asObjects(rule[peers]).flatMap((peer, position) =>
      peerErrors(peer, path.index(index).child(peers).index(position)),
    ),
  ]);
}

function portErrors(entry: JsonObject, path: FieldPath): FieldError[] {
  const port = entry['port'] ?? undefined;
  const at = path.child('port');
  const messages =
    port === undefined
      ? []
      : typeof port === 'string'
        ? validatePortName(port)
        : validatePortNumber(asNumber(port));
  return [...messages.map(message => invalidField(at, port, message)), ...endPortErrors(entry, path)];
}

function endPortErrors(entry: JsonObject, path: FieldPath): FieldError[] {
  const { port, endPort } = entry;
  const at = path.child('endPort');
  if (typeof endPort !== 'number') return [];
  if (port === undefined || port === null)
    return [requiredField(path.child('port'), 'must be specified when `endPort` is set')];
  if (typeof port === 'string')
    return [invalidField(at, endPort, 'may not be specified when `port` is non-numeric')];
  return [
    ...(endPort < asNumber(port)
      ? [invalidField(at, endPort, 'must be greater than or equal to `port`')]
      : []),
    ...validatePortNumber(endPort).map(message => invalidField(at, endPort, message)),
  ];
}

/** Pods, namespaces, or pods of namespaces; or else a range of addresses. */
function peerErrors(peer: JsonObject, path: FieldPath): FieldError[] {
  const selectors = ['podSelector', 'namespaceSelector'].filter(field => asObject(peer[field]));
  const block = asObject(peer['ipBlock']);
  if (selectors.length === 0 && !block) return [requiredField(path, 'must specify a peer')];
  return [
    ...selectors.flatMap(field => validateLabelSelector(peer[field] ?? {}, path.child(field))),
    ...(block ? blockErrors(block, path.child('ipBlock')) : []),
    ...(block && selectors.length > 0
      ? [forbiddenField(path, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function blockErrors(block: JsonObject, path: FieldPath): FieldError[] {
  const text = asText(block['cidr']);
  if (text === '') return [requiredField(path.child('cidr'))];
  const range = parseCidr(text);
  if (!range) return [invalidField(path.child('cidr'), text, 'not a valid CIDR')];
  return asTexts(block['except']).flatMap((except, index) => {
    const at = path.child('except').index(index);
    const hole = parseCidr(except);
    if (!hole) return [invalidField(at, except, 'not a valid CIDR')];
    return isStrictSubset(hole, range) ? [] : [invalidField(at, except, 'must be a strict subset of `cidr`')];
  });
}
