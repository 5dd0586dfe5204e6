import {
  type ApiObject,
  duplicateField,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { parseCidr } from './cidr.ts';
import { specOf } from './service-facts.ts';
import { resourceAmountErrors, resourceNameErrors } from './standard-resources.ts';
import { taintErrors } from './taint-validation.ts';

const spec$ = fieldPath('spec');
const status$ = fieldPath('status');

/** The findings about a node; closed sets of values are checked elsewhere. */
export function nodeErrors(object: ApiObject): FieldError[] {
  return [
    ...taintErrors(asObjects(specOf(object)['taints']), spec$.child('taints')),
    ...podRangeErrors(asTexts(specOf(object)['podCIDRs'])),
    ...statusErrors(object),
  ];
}

/** The findings about an update of a node, or of its status: what identifies it stays. */
export function nodeUpdateErrors(object: ApiObject, old: ApiObject, subresource: string): FieldError[] {
  return subresource === 'status' ? statusErrors(object) : fixedErrors(object, old);
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

function statusErrors(object: ApiObject): FieldError[] {
  const status = asObject(object['status']) ?? {};
  const errors = ['capacity', 'allocatable'].flatMap(field =>
    Object.entries(asObject(status[field]) ?? {}).flatMap(([name, value]) => {
      const path = status$.child(field).key(name);
      return [...resourceNameErrors(name, path), ...resourceAmountErrors(name, value, path)];
    }),
  );
  const seen = new Set<string>();
  for (const [index, address] of asObjects(status['addresses']).entries()) {
    const identity = `${asText(address['type'])}/${asText(address['address'])}`;
    if (seen.has(identity)) errors.push(duplicateField(status$.child('addresses').index(index), address));
    seen.add(identity);
  }
  return [...errors, ...conditionErrors(object)];
}

/** Nodes report conditions without a reason: only what tells them apart is needed. */
function conditionErrors(object: ApiObject): FieldError[] {
  const path = status$.child('conditions');
  return asObjects(asObject(object['status'])?.['conditions']).flatMap((condition, index) =>
    asText(condition['type']) === '' ? [requiredField(path.index(index).child('type'))] : [],
  );
}

/** Fields that can be set once: others build on them. */
function fixedErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const errors: FieldError[] = [];
  const ranges = asTexts(before['podCIDRs']);
  if (ranges.length > 0 && ranges.join() !== asTexts(spec['podCIDRs']).join())
    errors.push(forbiddenField(spec$.child('podCIDRs'), 'may be set once, and not be changed'));
  const provider = asText(before['providerID']);
  if (provider !== '' && provider !== asText(spec['providerID']))
    errors.push(forbiddenField(spec$.child('providerID'), 'may be set once, and not be changed'));
  if (asText(before['externalID']) !== asText(spec['externalID']))
    errors.push(forbiddenField(spec$.child('externalID'), 'may not be changed'));
  return errors;
}
