import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import { asObjects, asText } from '../json-access.ts';
import type { SchemaNode } from './json-schema.ts';

const notOffered = 'this server does not offer the expression language yet, so the rule would not hold';

/**
 * The findings about the expressions of a node: about their form, and where that is right, that nobody here evaluates them.
 * A rule that is not evaluated would let pass what it forbids.
 */
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
    return errors.length > 0 ? errors : [forbiddenField(at.child('rule'), notOffered)];
  });
}
