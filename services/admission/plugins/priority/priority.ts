import { groups } from '@binnacle/api-names';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { setPriority } from './mutate.ts';
import { createPriorityClasses } from './priority-classes.ts';
import { assertOneGlobalDefault } from './validate.ts';

const priorityClasses = { group: groups.scheduling, version: 'v1', resource: 'priorityclasses' };

/** Priority, on by default. */
export const priority: PluginRegistration = {
  name: 'Priority',
  byDefault: true,
  concerns: ['/pods', `${groups.scheduling}/priorityclasses`],
  reads: [priorityClasses],
  create({ objects }) {
    const classes = createPriorityClasses(objects.reader(priorityClasses));
    return {
      name: 'Priority',
      mutate: review => setPriority(review, classes),
      validate: review => assertOneGlobalDefault(review, classes),
    };
  },
};
