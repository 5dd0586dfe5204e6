import { flagGroup, listFlag } from './flag.ts';

/** The addresses of services: one flag for each service, the same in every program that calls it. */
export const addressFlags = flagGroup('Addresses of services', {
  storageAddresses: listFlag({
    description: 'Addresses of storage pods, host:port each.',
    default: ['127.0.0.1:7001'],
  }),
  admissionAddresses: listFlag({
    description: 'Addresses of admission pods, host:port each.',
    default: ['127.0.0.1:7002'],
  }),
  webhookDispatchAddresses: listFlag({
    description: 'Addresses of webhook-dispatch pods, host:port each; with an empty list webhooks fail.',
    default: ['127.0.0.1:7003'],
  }),
  tokenReviewAddresses: listFlag({
    description: 'Addresses of token-review pods, host:port each.',
    default: ['127.0.0.1:7004'],
  }),
});
