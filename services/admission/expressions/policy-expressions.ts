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

/** The variables of the expressions of policies, in the order in which programs take their values. */
const policyVariables = ['object', 'oldObject', 'request', 'params'] as const;

/** An expression that can be evaluated, or what is wrong with it. */
export type PolicyExpression =
  | { readonly program: Program; readonly fault?: undefined }
  | { readonly program?: undefined; readonly fault: string };

const withoutParams = createPolicyEnvironment(false);
const withParams = createPolicyEnvironment(true);

/** Makes a program of the text of an expression; `params` is a variable only in policies that have a kind of them. */
export function compilePolicyExpression(text: string, hasParams: boolean): PolicyExpression {
  const outcome = compileValidationRule(text, hasParams ? withParams : withoutParams);
  if (outcome.kind === 'empty') return { fault: 'there is no expression' };
  if (outcome.kind === 'refused') return { fault: outcome.message };
  const { parsed, facts } = outcome.checked;
  const program = createProgram(parsed, { variables: policyVariables, facts });
  return program instanceof CelError ? { fault: program.message } : { program };
}

/** The findings about the expressions of a policy that is being written; whether there are some is found elsewhere. */
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

/** Objects may be of any kind, so what is in them is known only when there is one. */
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
