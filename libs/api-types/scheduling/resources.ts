import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { priorityClassRules } from './priority-class.ts';

/** Priority classes, version v1. */
export const schedulingV1: GroupVersionDeclaration = {
  group: 'scheduling.cluster.io',
  version: 'v1',
  protoPackage: 'scheduling.v1',
  resources: [
    resource({
      kind: 'PriorityClass',
      resource: 'priorityclasses',
      namespaced: false,
      shortNames: ['pc'],
      rules: priorityClassRules,
    }),
  ],
};
