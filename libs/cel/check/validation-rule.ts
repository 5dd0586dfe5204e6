import { ExpressionError } from '../syntax/expression-error.ts';
import type { CelType } from '../types/type.ts';
import { type CheckedExpression, compileText } from './check-expression.ts';
import { createEnvironment, type Environment } from './environment.ts';

/** The outcome of compiling the text of a rule. */
export type RuleOutcome =
  /** Nothing but blanks: there is nothing to evaluate. */
  | { readonly kind: 'empty' }
  /** It cannot be evaluated, for the reason that the message gives. */
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'rule';
      readonly checked: CheckedExpression;
      /** Whether it asks for the value before, and so is evaluated only where there is one. */
      readonly isTransition: boolean;
    };

/** The names of the value that a rule is about, and of the one before it. */
export const ruleVariables = { value: 'self', oldValue: 'oldSelf' } as const;

/** The environment of the rules at one place of a schema. */
export function ruleEnvironment(type: CelType): Environment {
  return createEnvironment({
    variables: [
      [ruleVariables.value, type],
      [ruleVariables.oldValue, type],
    ],
  });
}

/** Reads and checks a validation rule of a custom definition (specification 2, "Expression language"). */
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
