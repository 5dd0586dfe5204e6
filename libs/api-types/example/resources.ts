import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { beaconRules } from './beacon.ts';

/** Beacons, version v1. */
export const exampleV1: GroupVersionDeclaration = {
  group: groups.example,
  version: 'v1',
  protoPackage: 'example.v1',
  resources: [
    resource({
      kind: 'Beacon',
      resource: 'beacons',
      namespaced: true,
      shortNames: ['bcn'],
      subresources: [statusSubresource('Beacon')],
      rules: beaconRules,
    }),
  ],
};
