import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { cronJobRules } from './cron-job.ts';
import { jobRules } from './job.ts';

/** Jobs and cron jobs, version v1. */
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
      subresources: [statusSubresource('CronJob')],
      rules: cronJobRules,
    }),
    resource({
      kind: 'Job',
      resource: 'jobs',
      namespaced: true,
      categories: ['all'],
      subresources: [statusSubresource('Job')],
      rules: jobRules,
    }),
  ],
};
