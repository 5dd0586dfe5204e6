import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { leaseRules } from './lease.ts';

/** Leases, version v1. */
export const coordinationV1: GroupVersionDeclaration = {
  group: groups.coordination,
  version: 'v1',
  protoPackage: 'coordination.v1',
  resources: [resource({ kind: 'Lease', resource: 'leases', namespaced: true, rules: leaseRules })],
};
