import { groups } from '@binnacle/api-names';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { completeFromRuntimeClass } from './mutate.ts';
import { createRuntimeClasses } from './runtime-classes.ts';
import { assertOverhead } from './validate.ts';

const runtimeClasses = { group: groups.node, version: 'v1', resource: 'runtimeclasses' };

/** RuntimeClass, on by default: what a class of runtimes costs, and where it can run, is taken over into its pods. */
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
