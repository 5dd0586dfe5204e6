import { type FieldError, type FieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';

/** The findings about the form of a node's rules; whether they are expressions is for who evaluates them to say. */
export function validationRuleErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (schema['x-cluster-validations'] ?? []).flatMap((entry, index) => {
    const at = path.child('x-cluster-validations').index(index);
    const rule = (entry.rule ?? '').trim();
    const message = entry.message ?? '';
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
