import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import { asObjects, asText } from '../values/json-access.ts';
import type { SchemaNode } from './json-schema.ts';

/** The findings about the form of a node's rules; whether they are expressions is for who evaluates them to say. */
export function validationRuleErrors(schema: SchemaNode, path: FieldPath): FieldError[] {
  return asObjects(schema['x-cluster-validations']).flatMap((entry, index) => {
    const at = path.child('x-cluster-validations').index(index);
    const rule = asText(entry['rule']).trim();
    const message = asText(entry['message']);
    const errors = rule === '' ? [requiredField(at.child('rule'), 'rule is not specified')] : [];
    if (message === '' && rule.includes('\n'))
      errors.push(requiredField(at.child('message'), 'a rule of several lines needs a message'));
    if (message !== '' && message.trim() === '')
      errors.push(invalidField(at.child('message'), message, 'must not be blank where it is given'));
    if (message.trim().includes('\n'))
      errors.push(invalidField(at.child('message'), message, 'must not contain line breaks'));
    return errors;
  });
}
