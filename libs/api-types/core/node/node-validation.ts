import {
  duplicateField,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
} from '@binnacle/api-objects';
import type { Node, NodeAddress, NodeStatus } from '../../generated/core/v1.ts';
import { isRepeated } from '../../values/repeated-values.ts';
import { parseCidr } from '../addresses/cidr.ts';
import { resourceAmountErrors } from '../resource-amounts/standard-resources.ts';
import { nodeAnnotationErrors } from './node-annotations.ts';
import { taintErrors } from './taint-validation.ts';

const spec$ = fieldPath('spec');
const status$ = fieldPath('status');

/** Validates a node. */
export function nodeErrors({ metadata, spec = {}, status = {} }: Node): FieldError[] {
  return [
    ...nodeAnnotationErrors(metadata.annotations),
    // kube-apiserver reports taints at a path below metadata.
    ...taintErrors(spec.taints ?? [], fieldPath('metadata', 'taints')),
    ...resourceErrors(status),
  ];
}

/** Validates rules that only apply to new nodes. */
export function nodeCreateErrors({ spec = {} }: Node): FieldError[] {
  return podRangeErrors(spec.podCIDRs ?? []);
}

/** Validates an update of a node or its status: identifying fields are immutable, and addresses must be unique. */
export function nodeUpdateErrors(object: Node, old: Node, subresource: string): FieldError[] {
  return [
    ...(subresource === 'status' ? nodeErrors(object) : []),
    ...addressErrors(object.status?.addresses ?? []),
    ...fixedErrors(object, old),
  ];
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

function resourceErrors(status: NodeStatus): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap(field =>
    Object.entries(status[field] ?? {}).flatMap(([name, value]) =>
      resourceAmountErrors(name, value, status$.child(field, name)),
    ),
  );
}

function addressErrors(addresses: readonly NodeAddress[]): FieldError[] {
  const identities = addresses.map(({ type = '', address = '' }) => `${type}/${address}`);
  return addresses.flatMap((address, index) =>
    isRepeated(identities, index) ? [duplicateField(status$.child('addresses').index(index), address)] : [],
  );
}

/** Fields that can only be set once, because others depend on them. */
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
