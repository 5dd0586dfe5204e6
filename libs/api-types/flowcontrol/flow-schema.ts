import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText } from '../values/json-access.ts';
import { flowSchemaErrors } from './flow-schema-validation.ts';

/** The rules of FlowSchema objects. */
export const flowSchemaRules: KindRules = {
  generation: true,
  validate: flowSchemaErrors,
  columns: [
    nameColumn,
    column('PriorityLevel', 'The priority level of the requests that match.'),
    column('MatchingPrecedence', 'Of several schemas that match, the one with the lowest number decides.'),
    column('DistinguisherMethod', 'What makes requests part of one flow.'),
    ageColumn,
    column('MissingPL', 'Whether the priority level does not exist.'),
  ],
  cells: (object, now) => {
    const spec = asObject(object['spec']);
    const conditions = asObjects(asObject(object['status'])?.['conditions']);
    const dangling = conditions.find(condition => condition['type'] === 'Dangling');
    return [
      nameOf(object),
      asText(asObject(spec?.['priorityLevelConfiguration'])?.['name']) || '<none>',
      asNumber(spec?.['matchingPrecedence']),
      asText(asObject(spec?.['distinguisherMethod'])?.['type']) || '<none>',
      ageOf(object, now),
      asText(dangling?.['status']) || '?',
    ];
  },
};
