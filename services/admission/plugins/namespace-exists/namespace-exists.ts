import { notFound } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { createsNamespace } from '../../chain/review.ts';

/** NamespaceExists, off by default: refuses every write in a namespace that is missing. */
export const namespaceExists: PluginRegistration = {
  name: 'NamespaceExists',
  byDefault: false,
  create: ({ namespaces }) => ({
    name: 'NamespaceExists',
    async validate(review) {
      const { definition, operation, namespace, call } = review;
      if (operation === 'CONNECT' || !definition.namespaced || namespace === '') return;
      if (createsNamespace(review, namespaces)) return;
      const found = await namespaces.find(namespace, call);
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  }),
};
