import { equalJson, type FieldError, fieldPath, invalidField, requiredField } from '@binnacle/api-objects';
import { eventNamespaceErrors, eventReporterErrors } from '../core/event.ts';
import type { Event as CoreEvent } from '../generated/core/v1.ts';
import type { Event } from '../generated/events/v1.ts';
import { coreEventFrom } from './conversion.ts';

// Errors use the field names of the stored form, except for the reporter: clients of both forms expect it.

/** Fields of the core form that only events without eventTime may have. */
const olderFields = ['firstTimestamp', 'lastTimestamp', 'count'] as const;

/** Immutable fields; only the series may change. */
const fixedFields = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'related',
  'action',
  'reportingComponent',
  'reportingInstance',
] as const satisfies readonly (keyof CoreEvent)[];

/** Validates an event; events without eventTime need no reporter. */
export function eventErrors(object: Event): FieldError[] {
  const event = coreEventFrom(object);
  return [
    ...eventNamespaceErrors(event),
    ...((event.eventTime ?? '') === '' ? [] : eventReporterErrors(event, 'reportingController')),
  ];
}

/** Validates a new event: complete, and without fields of the older form. */
export function eventCreateErrors(object: Event): FieldError[] {
  const event = coreEventFrom(object);
  const { type = '', source = {} } = event;
  return [
    ...seriesErrors(event),
    ...((event.eventTime ?? '') === '' ? [requiredField('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidField('type', type, "must be 'Normal' or 'Warning'")]),
    ...olderFields
      .filter(field => event[field])
      .map(field => invalidField(field, event[field] ?? null, 'needs to be unset')),
    ...(Object.values(source).some(value => value !== '')
      ? [invalidField('source', source, 'needs to be unset')]
      : []),
  ];
}

/** Validates an update of an event. */
export function eventUpdateErrors(object: Event, old: Event): FieldError[] {
  const [event, before] = [coreEventFrom(object), coreEventFrom(old)];
  const changed = (field: keyof CoreEvent) => !equalJson(event[field] ?? null, before[field] ?? null);
  return [
    ...(changed('series') ? seriesErrors(event) : []),
    ...fixedFields
      .filter(changed)
      .map(field =>
        invalidField(
          field === 'reportingComponent' ? 'reportingController' : field,
          event[field] ?? null,
          'field is immutable',
        ),
      ),
  ];
}

/** A series needs a count of at least two and the time of its last occurrence. */
function seriesErrors({ series }: CoreEvent): FieldError[] {
  const path = fieldPath('series');
  if (!series) return [];
  const count = series.count ?? 0;
  return [
    ...(count < 2 ? [invalidField(path.child('count'), count, 'should be at least 2')] : []),
    ...((series.lastObservedTime ?? '') === '' ? [requiredField(path.child('lastObservedTime'))] : []),
  ];
}
