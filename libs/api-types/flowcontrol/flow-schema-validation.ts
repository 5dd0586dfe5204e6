import {
  type FieldError,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import type { FlowSchema } from '../generated/flowcontrol/v1beta3.ts';
import { flowRuleErrors } from './flow-rules.ts';
import { mandatoryErrors, mandatoryFlowSchemas } from './mandatory.ts';

const maxPrecedence = 10_000;
const distinguishers = ['ByNamespace', 'ByUser'];

/** Validates a flow schema. */
export function flowSchemaErrors({ metadata, spec = {} }: FlowSchema): FieldError[] {
  const path = fieldPath('spec');
  const { name = '' } = metadata;
  const { distinguisherMethod: method, matchingPrecedence = 0 } = spec;
  const methodType = method?.type ?? '';
  return [
    ...precedenceErrors(matchingPrecedence, name),
    ...(method && !distinguishers.includes(methodType)
      ? [notSupportedField(path.child('distinguisherMethod').child('type'), methodType, distinguishers)]
      : []),
    ...levelNameErrors(spec.priorityLevelConfiguration?.name ?? ''),
    ...(spec.rules ?? []).flatMap((rule, index) => flowRuleErrors(rule, path.child('rules').index(index))),
    ...mandatoryErrors(name, spec, mandatoryFlowSchemas),
  ];
}

function precedenceErrors(precedence: number, name: string): FieldError[] {
  const path = fieldPath('spec', 'matchingPrecedence');
  if (precedence <= 0) return [invalidField(path, precedence, 'must be a positive value')];
  if (precedence > maxPrecedence)
    return [invalidField(path, precedence, `must not be greater than ${maxPrecedence}`)];
  if (precedence === 1 && name !== 'exempt')
    return [invalidField(path, precedence, "only the schema named 'exempt' may have the precedence 1")];
  return [];
}

function levelNameErrors(name: string): FieldError[] {
  const path = fieldPath('spec', 'priorityLevelConfiguration', 'name');
  if (name === '') return [requiredField(path, 'must name a priority level')];
  return validateDnsSubdomain(name).map(message => invalidField(path, name, message));
}
