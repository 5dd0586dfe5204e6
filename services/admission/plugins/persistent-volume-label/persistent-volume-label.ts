import { understood } from '@binnacle/api-names';
import type { PersistentVolume } from '@binnacle/api-types/core/v1';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, reviewedName } from '../../chain/review.ts';

/** Volume sources of cloud providers, which know zone and region. */
const cloudSources = ['awsElasticBlockStore', 'azureDisk', 'gcePersistentDisk', 'vsphereVolume'] as const;
const { zone, region, betaZone, betaRegion } = understood.labels;
/** The labels of zone and region, each under every accepted name. */
const placeLabels = [
  [zone, region],
  [betaZone, betaRegion],
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
    mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'persistentvolumes'))
        return 'unchanged';
      const { metadata, spec = {} }: PersistentVolume = object;
      const source = cloudSources.find(field => spec[field] !== undefined);
      const { labels = {} } = metadata;
      const isPlaced = placeLabels.some(pair => pair.every(forms => forms.some(label => label in labels)));
      if (source === undefined || isPlaced) return 'unchanged';
      const why = `the zone and region of its ${source} are not known: this server has no cloud provider`;
      throw forbidden(review.definition, reviewedName(review), why);
    },
  }),
};
