import { groups } from '@binnacle/api-names';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { completeFromRuntimeClass } from './mutate.ts';
import { createRuntimeClasses } from './runtime-classes.ts';
import { assertOverhead } from './validate.ts';

const runtimeClasses = { group: groups.node, version: 'v1', resource: 'runtimeclasses' };

/** RuntimeClass, on by default: copies the overhead and the scheduling constraints of a RuntimeClass into its pods. */
export const runtimeClass: PluginRegistration = {
  name: 'RuntimeClass',
  byDefault: true,
  concerns: ['/pods'],
  reads: [runtimeClasses],
  create({ objects }) {
    const classes = createRuntimeClasses(objects.reader(runtimeClasses));
    return {
      name: 'RuntimeClass',
      mutate: review => completeFromRuntimeClass(review, classes),
      validate: review => assertOverhead(review, classes),
    };
  },
};
