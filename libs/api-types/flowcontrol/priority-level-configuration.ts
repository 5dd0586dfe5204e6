import type { KindRules } from '../definitions/kind-rules.ts';
import type { PriorityLevelConfiguration } from '../generated/flowcontrol/v1beta3.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { priorityLevelErrors } from './priority-level-validation.ts';

/** The rules of PriorityLevelConfiguration objects. */
export const priorityLevelConfigurationRules: KindRules<PriorityLevelConfiguration> = {
  generation: true,
  validate: priorityLevelErrors,
  columns: [
    nameColumn,
    column('Type', 'Whether requests of this level are limited.'),
    column('NominalConcurrencyShares', 'The share of the level in the seats of the server.'),
    column('Queues', 'The number of queues.'),
    column('HandSize', 'The number of queues that one flow may use.'),
    column('QueueLengthLimit', 'How many requests may wait in one queue.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const { spec: { type, limited } = {} } = object;
    const queuing = limited?.limitResponse?.queuing;
    return [
      nameCell(object),
      type ?? '<none>',
      limited?.nominalConcurrencyShares ?? '<none>',
      queuing?.queues ?? '<none>',
      queuing?.handSize ?? '<none>',
      queuing?.queueLengthLimit ?? '<none>',
      ageCell(object, now),
    ];
  },
};
