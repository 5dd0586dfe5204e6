import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { apiServiceRules } from './api-service.ts';

/** APIServices, which register group versions of other servers, version v1. */
export const apiregistrationV1: GroupVersionDeclaration = {
  group: groups.apiregistration,
  version: 'v1',
  protoPackage: 'apiregistration.v1',
  resources: [
    resource({
      kind: 'APIService',
      resource: 'apiservices',
      namespaced: false,
      categories: ['api-extensions'],
      subresources: [statusSubresource('APIService')],
      rules: apiServiceRules,
    }),
  ],
};
