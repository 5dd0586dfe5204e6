import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { VersionConversion } from '../definitions/kind-rules.ts';
import type { Event as CoreEvent } from '../generated/core/v1.ts';
import type { Event } from '../generated/events/v1.ts';

/** Fields by their name in this group and their name in the core group; all others have one name. */
const names: readonly (readonly [here: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** Texts that the core group shows even when they are empty, and this group does not. */
const shownInCoreOnly = ['reportingComponent', 'reportingInstance'];

/** The way between events of this group and those of the core group, which are the same stored objects. */
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

/** An event of this group as one of the core group; the event itself stays as it is. */
export function coreEventFrom(object: Event): CoreEvent {
  const event: ApiObject = { ...object };
  eventConversion.toStorage(event);
  return event as CoreEvent; // Its fields have the names of the core group now.
}

function rename(object: ApiObject, from: string, to: string): void {
  if (!Object.hasOwn(object, from)) return;
  const value = object[from];
  delete object[from];
  if (value !== undefined) object[to] = value;
}
