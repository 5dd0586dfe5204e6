import type { ApiObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import { compilePolicyExpression, type PolicyExpression } from '../../expressions/policy-expressions.ts';
import { type Matching, matchingFrom } from './matching.ts';
import type { ParameterKind, ParameterReference } from './parameters.ts';

/** The reasons that a validation may give for its refusal. */
export type RefusalReason = 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | 'Unauthorized';

/** One validation of a policy, ready to be evaluated. */
export interface Validation {
  readonly text: string;
  readonly expression: PolicyExpression;
  /** What is said when it does not hold; '' says the expression itself. */
  readonly message: string;
  readonly reason: RefusalReason;
}

/** A policy, ready for use. */
export interface Policy {
  readonly name: string;
  readonly matching: Matching;
  /** Undefined when the policy takes no parameters. */
  readonly parameterKind: ParameterKind | undefined;
  readonly validations: readonly Validation[];
  /** What happens when the policy cannot be evaluated. */
  readonly failurePolicy: 'Ignore' | 'Fail';
}

/** What puts a policy into effect. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: everything that the policy applies to. */
  readonly matching: Matching | undefined;
  readonly parameter: ParameterReference | undefined;
}

/** Reads a policy and compiles its expressions; what is unset has its default. */
export function policyFrom(object: ApiObject): Policy {
  const spec = asObject(object['spec']) ?? {};
  const kind = asObject(spec['paramKind']);
  return {
    name: object.metadata.name ?? '',
    matching: matchingFrom(asObject(spec['matchConstraints']) ?? {}),
    parameterKind: kind && { apiVersion: asText(kind['apiVersion']), kind: asText(kind['kind']) },
    validations: asObjects(spec['validations']).map(validation => {
      const text = asText(validation['expression']).trim();
      return {
        text,
        expression: compilePolicyExpression(text, kind !== undefined),
        message: asText(validation['message']).trim(),
        reason: reasonFrom(asText(validation['reason'])),
      };
    }),
    failurePolicy: spec['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
  };
}

/** Reads a binding; what is unset has its default. */
export function bindingFrom(object: ApiObject): Binding {
  const spec = asObject(object['spec']) ?? {};
  const resources = asObject(spec['matchResources']);
  const reference = asObject(spec['paramRef']);
  return {
    name: object.metadata.name ?? '',
    policyName: asText(spec['policyName']),
    matching: resources && matchingFrom(resources),
    parameter: reference && {
      namespace: asText(reference['namespace']),
      name: asText(reference['name']),
    },
  };
}

/** Validation lets no other reasons through. */
function reasonFrom(reason: string): RefusalReason {
  switch (reason) {
    case 'Forbidden':
    case 'RequestEntityTooLarge':
    case 'Unauthorized':
      return reason;
    default:
      return 'Invalid';
  }
}
