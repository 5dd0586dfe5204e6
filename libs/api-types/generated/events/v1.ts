// Written by `make generate` from the proto files. Change those.

import type { EventSource, ObjectReference } from '../core/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Event is an object of the events group. */
export type Event = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The event time. RFC 3339, in microseconds. */
  eventTime?: string | null;
  /** The series. */
  series?: EventSeries;
  /** The reporting controller. */
  reportingController?: string;
  /** The reporting instance. */
  reportingInstance?: string;
  /** The action. */
  action?: string;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** The regarding. */
  regarding?: ObjectReference;
  /** The related. */
  related?: ObjectReference;
  /** The note. */
  note?: string;
  /** The type. */
  type?: string;
  /** The deprecated source. */
  deprecatedSource?: EventSource;
  /** The deprecated first timestamp. RFC 3339, in whole seconds. */
  deprecatedFirstTimestamp?: string | null;
  /** The deprecated last timestamp. RFC 3339, in whole seconds. */
  deprecatedLastTimestamp?: string | null;
  /** The deprecated count. */
  deprecatedCount?: number;
};

/** EventList is a list of Event objects. */
export type EventList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Event[] | null;
};

/** EventSeries describes one event series. */
export type EventSeries = {
  /** The count. */
  count?: number;
  /** The last observed time. RFC 3339, in microseconds. */
  lastObservedTime?: string | null;
};
