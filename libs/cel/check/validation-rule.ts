import { ExpressionError } from '../syntax/expression-error.ts';
import type { CelType } from '../types/type.ts';
import { type CheckedExpression, compileText } from './check-expression.ts';
import { createEnvironment, type Environment } from './environment.ts';

/** The outcome of compiling a validation rule. */
export type RuleOutcome =
  /** The rule is blank and is not evaluated. */
  | { readonly kind: 'empty' }
  /** The rule cannot be evaluated; `message` says why. */
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'rule';
      readonly checked: CheckedExpression;
      /** Whether the rule uses the old value and is therefore only evaluated on updates. */
      readonly isTransition: boolean;
    };

/** The variables of the validated value and of the old value. */
export const ruleVariables = { value: 'self', oldValue: 'oldSelf' } as const;

/** Creates the environment of the rules of a schema node. */
export function ruleEnvironment(type: CelType): Environment {
  return createEnvironment({
    variables: [
      [ruleVariables.value, type],
      [ruleVariables.oldValue, type],
    ],
  });
}

/** Parses and checks a validation rule of a custom resource definition (specification 2, "Expression language"). */
export function compileValidationRule(rule: string, environment: Environment): RuleOutcome {
  if (rule.trim() === '') return { kind: 'empty' };
  try {
    const checked = compileText(rule, environment);
    const { type, facts } = checked;
    if (type.kind !== 'primitive' || type.name !== 'bool')
      return { kind: 'refused', message: 'cel expression must evaluate to a bool' };
    const isTransition = [...facts.names.values()].includes(ruleVariables.oldValue);
    return { kind: 'rule', checked, isTransition };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { kind: 'refused', message: `compilation failed: ${error.message}` };
  }
}
