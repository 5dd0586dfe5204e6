import { notFound } from '@binnacle/status-errors';
import type { PluginOffer } from '../../chain/plugin-offer.ts';

/** NamespaceExists, off by default: refuses every write in a namespace that is missing. */
export const namespaceExists: PluginOffer = {
  name: 'NamespaceExists',
  byDefault: false,
  create: ({ namespaces }) => ({
    name: 'NamespaceExists',
    async validate({ definition, operation, namespace, call }) {
      if (operation === 'CONNECT' || !definition.namespaced || namespace === '') return;
      const found =
        (await namespaces.find(namespace, call)) ?? (await namespaces.findCurrent(namespace, call));
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  }),
};
