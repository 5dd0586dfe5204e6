import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  requiredField,
} from '@binnacle/api-objects';
import { eventNamespaceErrors, eventReporterErrors } from '../core/event.ts';
import { asNumber, asObject, asText } from '../json-access.ts';

/** Fields that only events of the older form use; with the value that means that they are not used. */
const olderFields = ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'deprecatedCount'];

/** Fields that say what happened once; only the series may change. */
const fixedFields = [
  'regarding',
  'reason',
  'note',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'type',
  'eventTime',
  'related',
  'action',
  'reportingController',
  'reportingInstance',
];

/** The findings about an event; those of the older form need no reporter. */
export function eventErrors(object: ApiObject): FieldError[] {
  return [
    ...eventNamespaceErrors(object, 'regarding'),
    ...(asText(object['eventTime']) === ''
      ? []
      : eventReporterErrors(object, { reporter: 'reportingController', message: 'note' })),
  ];
}

/** The findings about a new event: complete, and of the newer form only. */
export function eventCreateErrors(object: ApiObject): FieldError[] {
  const type = asText(object['type']);
  const source = asObject(object['deprecatedSource']) ?? {};
  const isMissingTime = asText(object['eventTime']) === '';
  return [
    ...seriesErrors(object),
    ...(isMissingTime
      ? [
          requiredField('eventTime'),
          ...eventReporterErrors(object, { reporter: 'reportingController', message: 'note' }),
        ]
      : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidField('type', type, "must be 'Normal' or 'Warning'")]),
    ...olderFields
      .filter(field => asText(object[field]) !== '' || asNumber(object[field]) !== 0)
      .map(field => invalidField(field, object[field] ?? null, 'needs to be unset')),
    ...(Object.values(source).some(value => asText(value) !== '')
      ? [invalidField('deprecatedSource', source, 'needs to be unset')]
      : []),
  ];
}

/** The findings about an update of an event. */
export function eventUpdateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  return [
    ...(equalJson(object['series'] ?? null, old['series'] ?? null) ? [] : seriesErrors(object)),
    ...fixedFields
      .filter(field => !equalJson(object[field] ?? null, old[field] ?? null))
      .map(field => invalidField(field, object[field] ?? null, 'field is immutable')),
  ];
}

/** A series has happened at least twice, and once last. */
function seriesErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('series');
  const series = asObject(object['series']);
  if (!series) return [];
  const count = asNumber(series['count']);
  return [
    ...(count < 2 ? [invalidField(path.child('count'), count, 'should be at least 2')] : []),
    ...(asText(series['lastObservedTime']) === '' ? [requiredField(path.child('lastObservedTime'))] : []),
  ];
}
