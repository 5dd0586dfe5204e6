import {
  type ApiObject,
  type FieldError,
  invalidField,
  type JsonObject,
  type JsonValue,
  requiredField,
  tooLongField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageSince } from '../printing/age.ts';
import { column, nameColumn, nameOf, wideColumn } from '../printing/columns.ts';
import { asNumber, asObject, asText } from '../values/json-access.ts';

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** The rules of Event objects: the event lives where its object lives; events with eventTime name their reporter. */
export const eventRules: KindRules = {
  createOnUpdate: true,
  hasNoDependents: true,
  validate: object => [
    ...eventNamespaceErrors(object),
    ...(asText(object['eventTime']) === '' ? [] : eventReporterErrors(object, 'reportingComponent')),
  ],
  selectableFieldNames: [
    ...referenceFields.map(field => `involvedObject.${field}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  selectableFields,
  columns: [
    column('Last Seen', 'The time since the event last happened.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Why the event was recorded, in one word.'),
    column('Object', 'The object that the event is about.'),
    wideColumn('Subobject', 'The part of the object that the event is about.'),
    wideColumn('Source', 'What reported the event.'),
    column('Message', 'What happened.'),
    wideColumn('First Seen', 'The time since the event first happened.'),
    wideColumn('Count', 'How often the event happened.'),
    { ...nameColumn, priority: 1 },
  ],
  cells,
};

function selectableFields(object: ApiObject): Record<string, string> {
  const involved = involvedObject(object);
  const reporter = asText(object['reportingComponent']);
  return {
    ...Object.fromEntries(referenceFields.map(field => [`involvedObject.${field}`, asText(involved[field])])),
    reason: asText(object['reason']),
    reportingComponent: reporter,
    source: asText(asObject(object['source'])?.['component']) || reporter,
    type: asText(object['type']),
  };
}

function involvedObject(object: ApiObject): JsonObject {
  return asObject(object['involvedObject']) ?? {};
}

/**
 * The findings about where an event is: with the object that it is about. Events about cluster-scoped objects live
 * in `default`, those of the system also in `cluster-system`.
 */
export function eventNamespaceErrors(object: ApiObject): FieldError[] {
  const namespace = object.metadata.namespace ?? '';
  const involved = asText(involvedObject(object)['namespace']);
  if (involved === namespace) return [];
  const systemMay = asText(object['eventTime']) !== '' && namespace === 'cluster-system';
  if (involved === '' && (namespace === 'default' || systemMay)) return [];
  return [invalidField('involvedObject.namespace', involved, 'does not match metadata.namespace')];
}

/** The findings about who reports an event, what it did and why; the reporter has different names in different versions. */
export function eventReporterErrors(object: ApiObject, reporterField: string): FieldError[] {
  const errors: FieldError[] = [];
  const reporter = asText(object['reportingComponent']);
  if (reporter === '') errors.push(requiredField(reporterField));
  else
    errors.push(
      ...validateQualifiedName(reporter).map(message => invalidField(reporterField, reporter, message)),
    );
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const value = asText(object[field]);
    if (value === '') errors.push(requiredField(field));
    else if (value.length > 128) errors.push(tooLongField(field, value, 128));
  }
  if (asText(object['message']).length > 1024) errors.push(tooLongField('message', '', 1024));
  return errors;
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const involved = involvedObject(object);
  const series = asObject(object['series']);
  const eventTime = asText(object['eventTime']);
  const first = asText(object['firstTimestamp']) || eventTime;
  const last = asText(series?.['lastObservedTime']) || asText(object['lastTimestamp']) || first;
  const count = asNumber(series?.['count']) || asNumber(object['count']) || (eventTime === '' ? 0 : 1);
  return [
    ageSince(last, now),
    asText(object['type']),
    asText(object['reason']),
    `${asText(involved['kind']).toLowerCase()}/${asText(involved['name'])}`,
    asText(involved['fieldPath']),
    sourceOf(object),
    asText(object['message']).trim(),
    ageSince(first, now),
    count,
    nameOf(object),
  ];
}

function sourceOf(object: ApiObject): string {
  const source = asObject(object['source']);
  const component = asText(source?.['component']) || asText(object['reportingComponent']);
  const host = asText(source?.['host']) || asText(object['reportingInstance']);
  return host === '' ? component : `${component}, ${host}`;
}
