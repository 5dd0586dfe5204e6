import {
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import { type Cidr, parseCidr } from '../core/addresses/cidr.ts';
import { nodeSelectorErrors } from '../core/selectors/node-selector-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { NodeSelector } from '../generated/core/v1.ts';
import type { ClusterCIDR, ClusterCIDRSpec } from '../generated/networking/v1alpha1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../printing/columns.ts';

/** The rules of ClusterCIDR objects: immutable pod address ranges that are large enough for nodes. */
export const clusterCidrRules: KindRules<ClusterCIDR> = {
  nameRule: validateDnsLabel,
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('PerNodeHostBits', 'How many bits of an address a node has for its pods.'),
    column('IPv4', 'The range of IPv4 addresses.'),
    column('IPv6', 'The range of IPv6 addresses.'),
    ageColumn,
    wideColumn('NodeSelector', 'The nodes that get their addresses here.'),
  ],
  cells: (object, now) => {
    const spec = object.spec ?? {};
    return [
      nameCell(object),
      String(spec.perNodeHostBits ?? 0),
      spec.ipv4 || '<none>',
      spec.ipv6 || '<none>',
      ageCell(object, now),
      nodeSelectorText(spec.nodeSelector),
    ];
  },
};

const spec$ = fieldPath('spec');
const fewestHostBits = 4;

function validate(object: ClusterCIDR): FieldError[] {
  const spec = object.spec ?? {};
  const selector = spec.nodeSelector;
  const ranges = (['ipv4', 'ipv6'] as const).filter(field => (spec[field] ?? '') !== '');
  return [
    ...(selector ? nodeSelectorErrors(selector, spec$.child('nodeSelector')) : []),
    ...(ranges.length === 0
      ? [requiredField(spec$, 'one or both of `ipv4` and `ipv6` must be specified')]
      : []),
    ...ranges.flatMap(field => rangeErrors(spec, field)),
  ];
}

function rangeErrors(spec: ClusterCIDRSpec, field: 'ipv4' | 'ipv6'): FieldError[] {
  const text = spec[field] ?? '';
  const family = field === 'ipv4' ? 'IPv4' : 'IPv6';
  const range = parseCidr(text);
  if (range?.family !== family)
    return [invalidField(spec$.child(field), text, `must be a valid ${family} CIDR`)];
  return hostBitsErrors(spec.perNodeHostBits ?? 0, range);
}

function hostBitsErrors(bits: number, range: Cidr): FieldError[] {
  const path = spec$.child('perNodeHostBits');
  const most = (range.family === 'IPv4' ? 32 : 128) - range.prefixLength;
  return [
    ...(bits < fewestHostBits
      ? [invalidField(path, bits, `must be greater than or equal to ${fewestHostBits}`)]
      : []),
    ...(bits > most ? [invalidField(path, bits, `must be less than or equal to ${most}`)] : []),
  ];
}

function validateUpdate(object: ClusterCIDR, old: ClusterCIDR): FieldError[] {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  return (['perNodeHostBits', 'ipv4', 'ipv6', 'nodeSelector'] as const)
    .filter(field => !equalJson(spec[field] ?? null, before[field] ?? null))
    .map(field => invalidField(spec$.child(field), spec[field] ?? null, 'field is immutable'));
}

function nodeSelectorText(selector: NodeSelector | undefined): string {
  const terms = (selector?.nodeSelectorTerms ?? []).map(term =>
    [...(term.matchExpressions ?? []), ...(term.matchFields ?? [])]
      .map(({ key, operator, values }) =>
        [key ?? '', operator ?? '', (values ?? []).join(' ')].filter(part => part !== '').join(' '),
      )
      .join(', '),
  );
  return terms.length === 0 ? '<none>' : terms.map(term => `[${term}]`).join(',');
}
