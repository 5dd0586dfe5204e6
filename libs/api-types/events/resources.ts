import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { eventRules } from './event.ts';

/** Events of the events group, version v1; stored as events of the core group. */
export const eventsV1: GroupVersionDeclaration = {
  group: groups.events,
  version: 'v1',
  protoPackage: 'events.v1',
  resources: [
    resource({
      kind: 'Event',
      resource: 'events',
      namespaced: true,
      shortNames: ['ev'],
      storageGroup: '',
      storageVersion: 'v1',
      rules: eventRules,
    }),
  ],
};
