import {
  choiceFlag,
  type FlagValues,
  listFlag,
  portFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/service-kit';

/** The flags that choose plugins; the standalone form has them too. */
export const pluginFlags = {
  enableAdmissionPlugins: listFlag({ description: 'Plugins to run beyond the defaults.' }),
  disableAdmissionPlugins: listFlag({ description: 'Plugins of the defaults that do not run.' }),
};

/** The flags of admission. */
export const admissionFlags = {
  ...serviceFlags,
  ...pluginFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7002 }),
  storageAddresses: listFlag({
    description: 'Pods of storage, host:port each.',
    default: ['127.0.0.1:7001'],
  }),
  webhookDispatchAddresses: listFlag({
    description: 'Pods of webhook-dispatch, host:port each.',
    default: ['127.0.0.1:7003'],
  }),
  changeFeed: choiceFlag(['kafka', 'direct'], {
    description: 'Where changes come from: Kafka, or storage itself.',
    default: 'direct',
  }),
  kafkaBrokers: listFlag({ description: 'host:port of Kafka brokers.', default: ['127.0.0.1:9092'] }),
  kafkaTopic: stringFlag({ description: 'Topic of the change feed.', default: 'binnacle-changes' }),
};

/** Their values. */
export type AdmissionConfig = FlagValues<typeof admissionFlags>;
