import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { VersionConversion } from '../definitions/kind-rules.ts';
import type { Event as CoreEvent } from '../generated/core/v1.ts';
import type { Event } from '../generated/events/v1.ts';

/** Fields with different names in this group and the core group. */
const names: readonly (readonly [here: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** Texts that the core group contains even if they are empty, unlike this group. */
const shownInCoreOnly = ['reportingComponent', 'reportingInstance'];

/** Converts events between this group and the core group, which share their stored objects. */
export const eventConversion: VersionConversion = {
  toStorage(object) {
    for (const [here, core] of names) rename(object, here, core);
    for (const field of shownInCoreOnly) object[field] ??= '';
    object.apiVersion = 'v1';
  },
  fromStorage(object) {
    for (const field of shownInCoreOnly) if (object[field] === '') delete object[field];
    for (const [here, core] of names) rename(object, core, here);
    object.apiVersion = `${groups.events}/v1`;
  },
  storedFieldNames: {
    ...Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(field => [
        `regarding.${field}`,
        `involvedObject.${field}`,
      ]),
    ),
    reportingController: 'reportingComponent',
  },
};

/** Returns an event in the form of the core group; the argument is not modified. */
export function coreEventFrom(object: Event): CoreEvent {
  const event: ApiObject = { ...object };
  eventConversion.toStorage(event);
  return event as CoreEvent; // Its fields have the names of the core group.
}

function rename(object: ApiObject, from: string, to: string): void {
  if (!Object.hasOwn(object, from)) return;
  const value = object[from];
  delete object[from];
  if (value !== undefined) object[to] = value;
}
