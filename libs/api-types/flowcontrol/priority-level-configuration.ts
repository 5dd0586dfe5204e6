import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject } from '../values/json-access.ts';
import { priorityLevelErrors } from './priority-level-validation.ts';

/** The rules of PriorityLevelConfiguration objects. */
export const priorityLevelConfigurationRules: KindRules = {
  generation: true,
  validate: priorityLevelErrors,
  columns: [
    nameColumn,
    column('Type', 'Whether requests of this level are limited.'),
    column('NominalConcurrencyShares', 'The share of the level in what the server does at a time.'),
    column('Queues', 'The number of queues.'),
    column('HandSize', 'The number of queues that one flow may use.'),
    column('QueueLengthLimit', 'How many requests may wait in one queue.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = asObject(object['spec']);
    const limited = asObject(spec?.['limited']);
    const queuing = asObject(asObject(limited?.['limitResponse'])?.['queuing']);
    return [
      nameOf(object),
      orNone(spec, 'type'),
      orNone(limited, 'nominalConcurrencyShares'),
      ...['queues', 'handSize', 'queueLengthLimit'].map(field => orNone(queuing, field)),
      ageOf(object, now),
    ];
  },
};

function orNone(parent: JsonObject | undefined, field: string): JsonValue {
  return parent?.[field] ?? '<none>';
}
