import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { customResourceDefinitionRules } from './custom-resource-definition.ts';

/** CustomResourceDefinitions, version v1. */
export const apiextensionsV1: GroupVersionDeclaration = {
  group: groups.apiextensions,
  version: 'v1',
  protoPackage: 'apiextensions.v1',
  resources: [
    resource({
      kind: 'CustomResourceDefinition',
      resource: 'customresourcedefinitions',
      namespaced: false,
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      subresources: [statusSubresource('CustomResourceDefinition')],
      hashedVersion: 'v1beta1',
      rules: customResourceDefinitionRules,
    }),
  ],
};
