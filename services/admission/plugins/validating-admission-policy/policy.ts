import type { ApiObject } from '@binnacle/api-objects';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@binnacle/api-types/admissionregistration/v1alpha1';
import { authorNames, type ShownNames } from '../../chain/shown-names.ts';
import { compilePolicyExpression, type PolicyExpression } from '../../expressions/policy-expressions.ts';
import { type Matching, matchingFrom } from './matching.ts';
import type { ParameterKind, ParameterReference } from './parameters.ts';

/** The reasons that a validation may give for its refusal. */
export type RefusalReason = 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | 'Unauthorized';

/** One validation of a policy, ready to be evaluated. */
export interface Validation {
  readonly text: string;
  readonly expression: PolicyExpression;
  /** The message when the expression does not hold; '' for the expression itself. */
  readonly message: string;
  readonly reason: RefusalReason;
}

/** A policy with compiled expressions. */
export interface Policy {
  readonly name: string;
  /** The names that the author of the policy uses. */
  readonly names: ShownNames;
  readonly matching: Matching;
  /** The kind of its parameters; undefined when the policy has none. */
  readonly parameterKind: ParameterKind | undefined;
  readonly validations: readonly Validation[];
  /** The treatment of a policy that cannot be evaluated. */
  readonly failurePolicy: 'Ignore' | 'Fail';
}

/** A binding, which puts a policy into effect. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  /** Objects that the binding applies to; undefined: all those of the policy. */
  readonly matching: Matching | undefined;
  readonly parameter: ParameterReference | undefined;
}

/** Reads a policy and compiles its expressions; unset fields have their defaults. */
export function policyFrom({
  apiVersion,
  metadata,
  spec = {},
}: ValidatingAdmissionPolicy & Pick<ApiObject, 'apiVersion'>): Policy {
  const { paramKind, matchConstraints = {}, validations, failurePolicy } = spec;
  return {
    name: metadata.name ?? '',
    names: authorNames(apiVersion),
    matching: matchingFrom(matchConstraints),
    parameterKind: paramKind && { apiVersion: paramKind.apiVersion ?? '', kind: paramKind.kind ?? '' },
    validations: (validations ?? []).map(({ expression = '', message = '', reason }) => {
      const text = expression.trim();
      return {
        text,
        expression: compilePolicyExpression(text, paramKind !== undefined),
        message: message.trim(),
        reason: reasonFrom(reason),
      };
    }),
    failurePolicy: failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
  };
}

/** Reads a binding; unset fields have their defaults. */
export function bindingFrom({ metadata, spec = {} }: ValidatingAdmissionPolicyBinding): Binding {
  const { policyName = '', matchResources, paramRef } = spec;
  return {
    name: metadata.name ?? '',
    policyName,
    matching: matchResources && matchingFrom(matchResources),
    parameter: paramRef && { namespace: paramRef.namespace ?? '', name: paramRef.name ?? '' },
  };
}

/** Reads the reason of a refusal; validation of policies permits only these. */
function reasonFrom(reason: string | undefined): RefusalReason {
  switch (reason) {
    case 'Forbidden':
    case 'RequestEntityTooLarge':
    case 'Unauthorized':
      return reason;
    default:
      return 'Invalid';
  }
}
