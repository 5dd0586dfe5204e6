import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { endpointSliceRules } from './endpoint-slice.ts';

/** Endpoint slices, version v1. */
export const discoveryV1: GroupVersionDeclaration = {
  group: groups.discovery,
  version: 'v1',
  protoPackage: 'discovery.v1',
  resources: [
    resource({
      kind: 'EndpointSlice',
      resource: 'endpointslices',
      namespaced: true,
      hashedVersion: 'v1beta1',
      rules: endpointSliceRules,
    }),
  ],
};
