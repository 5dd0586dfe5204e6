import type { KindRules } from '../definitions/kind-rules.ts';
import type { FlowSchema } from '../generated/flowcontrol/v1beta3.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { flowSchemaErrors } from './flow-schema-validation.ts';

/** The rules of FlowSchema objects. */
export const flowSchemaRules: KindRules<FlowSchema> = {
  generation: true,
  validate: flowSchemaErrors,
  columns: [
    nameColumn,
    column('PriorityLevel', 'The priority level of the requests that match.'),
    column('MatchingPrecedence', 'Of several schemas that match, the one with the lowest number decides.'),
    column('DistinguisherMethod', 'The attribute that divides requests into flows.'),
    ageColumn,
    column('MissingPL', 'Whether the priority level does not exist.'),
  ],
  cells: (object, now) => {
    const { spec, status } = object;
    const dangling = status?.conditions?.find(({ type }) => type === 'Dangling');
    return [
      nameCell(object),
      spec?.priorityLevelConfiguration?.name || '<none>',
      spec?.matchingPrecedence ?? 0,
      spec?.distinguisherMethod?.type || '<none>',
      ageCell(object, now),
      dangling?.status || '?',
    ];
  },
};
