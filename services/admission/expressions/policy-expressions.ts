import { type FieldError, fieldPath, invalidField } from '@binnacle/api-objects';
import type { ValidatingAdmissionPolicy } from '@binnacle/api-types/admissionregistration/v1alpha1';
import {
  CelError,
  compileValidationRule,
  createEnvironment,
  createProgram,
  type Environment,
  type Program,
  types,
} from '@binnacle/cel';
import { requestType } from './request-type.ts';

/** The variables of policy expressions, in the order of their values in programs. */
const policyVariables = ['object', 'oldObject', 'request', 'params'] as const;

/** An expression that can be evaluated, or its fault. */
export type PolicyExpression =
  | { readonly program: Program; readonly fault?: undefined }
  | { readonly program?: undefined; readonly fault: string };

const withoutParams = createPolicyEnvironment(false);
const withParams = createPolicyEnvironment(true);

/** Compiles an expression; `params` is a variable only in policies that have a parameter kind. */
export function compilePolicyExpression(text: string, hasParams: boolean): PolicyExpression {
  const outcome = compileValidationRule(text, hasParams ? withParams : withoutParams);
  if (outcome.kind === 'empty') return { fault: 'there is no expression' };
  if (outcome.kind === 'refused') return { fault: outcome.message };
  const { parsed, facts } = outcome.checked;
  const program = createProgram(parsed, { variables: policyVariables, facts });
  return program instanceof CelError ? { fault: program.message } : { program };
}

/** Checks the expressions of a policy that is being written; validation of the kind checks that the required ones exist. */
export function policyExpressionErrors({ spec }: ValidatingAdmissionPolicy): FieldError[] {
  const hasParams = spec?.paramKind !== undefined;
  const path = fieldPath('spec').child('validations');
  return (spec?.validations ?? []).flatMap(({ expression = '' }, index) => {
    const text = expression.trim();
    if (text === '') return [];
    const { fault } = compilePolicyExpression(text, hasParams);
    return fault === undefined ? [] : [invalidField(path.index(index).child('expression'), text, fault)];
  });
}

/** Creates the environment of policy expressions. Objects may be of any kind, so their fields are checked at evaluation. */
function createPolicyEnvironment(hasParams: boolean): Environment {
  return createEnvironment({
    variables: [
      ['object', types.dyn],
      ['oldObject', types.dyn],
      ['request', requestType],
      ...(hasParams ? [['params', types.dyn] as const] : []),
    ],
  });
}
