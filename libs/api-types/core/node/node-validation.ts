import {
  duplicateField,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import type { Node, NodeCondition, NodeStatus } from '../../generated/core/v1.ts';
import { parseCidr } from '../addresses/cidr.ts';
import { resourceAmountErrors, resourceNameErrors } from '../resource-amounts/standard-resources.ts';
import { taintErrors } from './taint-validation.ts';

const spec$ = fieldPath('spec');
const status$ = fieldPath('status');

/** The findings about a node; closed sets of values are checked elsewhere. */
export function nodeErrors({ spec = {}, status = {} }: Node): FieldError[] {
  return [
    ...taintErrors(spec.taints ?? [], spec$.child('taints')),
    ...podRangeErrors(spec.podCIDRs ?? []),
    ...statusErrors(status),
  ];
}

/** The findings about an update of a node, or of its status: what identifies it stays. */
export function nodeUpdateErrors(object: Node, old: Node, subresource: string): FieldError[] {
  return subresource === 'status' ? statusErrors(object.status ?? {}) : fixedErrors(object, old);
}

function podRangeErrors(ranges: readonly string[]): FieldError[] {
  const path = spec$.child('podCIDRs');
  const parsed = ranges.map(parseCidr);
  const errors = parsed.flatMap((range, index) =>
    range ? [] : [invalidField(path.index(index), ranges[index], 'must be valid CIDR')],
  );
  if (errors.length > 0 || ranges.length < 2) return errors;
  const isDualStack = ranges.length === 2 && parsed[0]?.family !== parsed[1]?.family;
  return isDualStack
    ? []
    : [invalidField(path, ranges, 'may specify no more than one CIDR for each IP family')];
}

function statusErrors(status: NodeStatus): FieldError[] {
  const errors = (['capacity', 'allocatable'] as const).flatMap(field =>
    Object.entries(status[field] ?? {}).flatMap(([name, value]) => {
      const path = status$.child(field).key(name);
      return [...resourceNameErrors(name, path), ...resourceAmountErrors(name, value, path)];
    }),
  );
  const seen = new Set<string>();
  for (const [index, address] of (status.addresses ?? []).entries()) {
    const identity = `${address.type ?? ''}/${address.address ?? ''}`;
    if (seen.has(identity)) errors.push(duplicateField(status$.child('addresses').index(index), address));
    seen.add(identity);
  }
  return [...errors, ...conditionErrors(status.conditions ?? [])];
}

/** Nodes report conditions without a reason: only what tells them apart is needed. */
function conditionErrors(conditions: readonly NodeCondition[]): FieldError[] {
  const path = status$.child('conditions');
  return conditions.flatMap((condition, index) =>
    (condition.type ?? '') === '' ? [requiredField(path.index(index).child('type'))] : [],
  );
}

/** Fields that can be set once: others build on them. */
function fixedErrors(object: Node, old: Node): FieldError[] {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const errors: FieldError[] = [];
  const ranges = before.podCIDRs ?? [];
  if (ranges.length > 0 && ranges.join() !== (spec.podCIDRs ?? []).join())
    errors.push(forbiddenField(spec$.child('podCIDRs'), 'may be set once, and not be changed'));
  const provider = before.providerID ?? '';
  if (provider !== '' && provider !== (spec.providerID ?? ''))
    errors.push(forbiddenField(spec$.child('providerID'), 'may be set once, and not be changed'));
  if ((before.externalID ?? '') !== (spec.externalID ?? ''))
    errors.push(forbiddenField(spec$.child('externalID'), 'may not be changed'));
  return errors;
}
