import { asObject } from '@binnacle/api-types';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, nameOf } from '../../chain/review.ts';

/** Sources of volumes whose zone and region a cloud knows. */
const cloudSources = ['awsElasticBlockStore', 'azureDisk', 'gcePersistentDisk', 'vsphereVolume'];
const placeLabels = [
  ['topology.cluster.io/zone', 'topology.cluster.io/region'],
  ['failure-domain.beta.cluster.io/zone', 'failure-domain.beta.cluster.io/region'],
];

/**
 * PersistentVolumeLabel, off by default and deprecated: volumes of a cloud get the labels of their zone and region. This
 * server has no cloud to ask: a volume of one must come with both labels, others pass.
 */
export const persistentVolumeLabel: PluginRegistration = {
  name: 'PersistentVolumeLabel',
  byDefault: false,
  concerns: ['/persistentvolumes'],
  create: () => ({
    name: 'PersistentVolumeLabel',
    async mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'persistentvolumes'))
        return 'unchanged';
      const spec = asObject(object['spec']) ?? {};
      const source = cloudSources.find(field => asObject(spec[field]) !== undefined);
      const { labels = {} } = object.metadata;
      const isPlaced = placeLabels.some(pair => pair.every(label => label in labels));
      if (source === undefined || isPlaced) return 'unchanged';
      const why = `the zone and region of its ${source} are not known: this server has no cloud provider`;
      throw forbidden(review.definition, nameOf(review), why);
    },
  }),
};
