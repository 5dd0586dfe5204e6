import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { priorityClassRules } from './priority-class.ts';

/** PriorityClasses, version v1. */
export const schedulingV1: GroupVersionDeclaration = {
  group: groups.scheduling,
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
