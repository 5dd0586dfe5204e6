import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { runtimeClassRules } from './runtime-class.ts';

/** RuntimeClasses, version v1. */
export const nodeV1: GroupVersionDeclaration = {
  group: groups.node,
  version: 'v1',
  protoPackage: 'node.v1',
  resources: [
    resource({
      kind: 'RuntimeClass',
      resource: 'runtimeclasses',
      namespaced: false,
      rules: runtimeClassRules,
    }),
  ],
};
