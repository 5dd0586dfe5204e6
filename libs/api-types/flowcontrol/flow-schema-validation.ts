import {
  type ApiObject,
  type FieldError,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsSubdomain,
} from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { flowRuleErrors } from './flow-rules.ts';
import { mandatoryErrors, mandatoryFlowSchemas } from './mandatory.ts';

const maxPrecedence = 10_000;
const distinguishers = ['ByNamespace', 'ByUser'];

/** The findings about a flow schema. */
export function flowSchemaErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('spec');
  const spec = asObject(object['spec']) ?? {};
  const { name = '' } = object.metadata;
  const method = asObject(spec['distinguisherMethod']);
  const methodType = asText(method?.['type']);
  return [
    ...precedenceErrors(asNumber(spec['matchingPrecedence']), name),
    ...(method && !distinguishers.includes(methodType)
      ? [notSupportedField(path.child('distinguisherMethod').child('type'), methodType, distinguishers)]
      : []),
    ...levelNameErrors(asText(asObject(spec['priorityLevelConfiguration'])?.['name'])),
    ...asObjects(spec['rules']).flatMap((rule, index) =>
      flowRuleErrors(rule, path.child('rules').index(index)),
    ),
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
