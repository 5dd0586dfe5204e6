import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import { type Cidr, parseCidr } from '../core/cidr.ts';
import { nodeSelectorErrors } from '../core/node-selector-validation.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf, wideColumn } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText, asTexts } from '../values/json-access.ts';

/** The rules of ClusterCIDR objects: ranges of pod addresses that are big enough for nodes, fixed once created. */
export const clusterCidrRules: KindRules = {
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
    const spec = specOf(object);
    return [
      nameOf(object),
      String(asNumber(spec['perNodeHostBits'])),
      asText(spec['ipv4']) || '<none>',
      asText(spec['ipv6']) || '<none>',
      ageOf(object, now),
      nodeSelectorText(asObject(spec['nodeSelector'])),
    ];
  },
};

const spec$ = fieldPath('spec');
const fewestHostBits = 4;

function validate(object: ApiObject): FieldError[] {
  const spec = specOf(object);
  const selector = asObject(spec['nodeSelector']);
  const ranges = (['ipv4', 'ipv6'] as const).filter(field => asText(spec[field]) !== '');
  return [
    ...(selector ? nodeSelectorErrors(selector, spec$.child('nodeSelector')) : []),
    ...(ranges.length === 0
      ? [requiredField(spec$, 'one or both of `ipv4` and `ipv6` must be specified')]
      : []),
    ...ranges.flatMap(field => rangeErrors(spec, field)),
  ];
}

function rangeErrors(spec: JsonObject, field: 'ipv4' | 'ipv6'): FieldError[] {
  const text = asText(spec[field]);
  const family = field === 'ipv4' ? 'IPv4' : 'IPv6';
  const range = parseCidr(text);
  if (range?.family !== family)
    return [invalidField(spec$.child(field), text, `must be a valid ${family} CIDR`)];
  return hostBitsErrors(asNumber(spec['perNodeHostBits']), range);
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

function validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  return ['perNodeHostBits', 'ipv4', 'ipv6', 'nodeSelector']
    .filter(field => !equalJson(spec[field] ?? null, before[field] ?? null))
    .map(field => invalidField(spec$.child(field), spec[field] ?? null, 'field is immutable'));
}

function nodeSelectorText(selector: JsonObject | undefined): string {
  const terms = asObjects(selector?.['nodeSelectorTerms']).map(term =>
    [...asObjects(term['matchExpressions']), ...asObjects(term['matchFields'])]
      .map(({ key, operator, values }) =>
        [asText(key), asText(operator), asTexts(values).join(' ')].filter(part => part !== '').join(' '),
      )
      .join(', '),
  );
  return terms.length === 0 ? '<none>' : terms.map(term => `[${term}]`).join(',');
}
