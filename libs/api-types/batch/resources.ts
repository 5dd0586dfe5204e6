import { type GroupVersionDeclaration, resource, statusOf } from '../definitions/resource-declaration.ts';
import { cronJobRules } from './cron-job.ts';
import { jobRules } from './job.ts';

/** Work that ends, version v1. */
export const batchV1: GroupVersionDeclaration = {
  group: 'batch',
  version: 'v1',
  protoPackage: 'batch.v1',
  resources: [
    resource({
      kind: 'CronJob',
      resource: 'cronjobs',
      namespaced: true,
      shortNames: ['cj'],
      categories: ['all'],
      subresources: [statusOf('CronJob')],
      rules: cronJobRules,
    }),
    resource({
      kind: 'Job',
      resource: 'jobs',
      namespaced: true,
      categories: ['all'],
      subresources: [statusOf('Job')],
      rules: jobRules,
    }),
  ],
};
