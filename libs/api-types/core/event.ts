import { namespaces } from '@binnacle/api-names';
import {
  type FieldError,
  invalidField,
  type JsonValue,
  requiredField,
  validatePathSegmentName,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Event, ObjectReference } from '../generated/core/v1.ts';
import { ageSince } from '../printing/age.ts';
import { column, nameCell, nameColumn, wideColumn } from '../printing/columns.ts';

const referenceFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const satisfies readonly (keyof ObjectReference)[];

/** The rules of Event objects: an event is in the namespace of its object; events with eventTime name their reporter. */
export const eventRules: KindRules<Event> = {
  createOnUpdate: true,
  nameRule: validatePathSegmentName,
  hasNoDependents: true,
  validate: object => [
    ...eventNamespaceErrors(object),
    ...((object.eventTime ?? '') === '' ? [] : eventReporterErrors(object, 'reportingComponent')),
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
    wideColumn('Source', 'The component that reported the event.'),
    column('Message', 'What happened.'),
    wideColumn('First Seen', 'The time since the event first happened.'),
    wideColumn('Count', 'How often the event happened.'),
    { ...nameColumn, priority: 1 },
  ],
  cells,
};

function selectableFields(object: Event): Record<string, string> {
  const involved = object.involvedObject ?? {};
  const reporter = object.reportingComponent ?? '';
  return {
    ...Object.fromEntries(referenceFields.map(field => [`involvedObject.${field}`, involved[field] ?? ''])),
    reason: object.reason ?? '',
    reportingComponent: reporter,
    source: object.source?.component || reporter,
    type: object.type ?? '',
  };
}

/**
 * Validates the namespace of an event: that of its object. Events about cluster-scoped objects are in `default`, with eventTime
 * also in the system namespace. Events with eventTime about a namespaced object may be in any namespace.
 */
export function eventNamespaceErrors(object: Event): FieldError[] {
  const namespace = object.metadata.namespace ?? '';
  const involved = object.involvedObject?.namespace ?? '';
  const isNewer = (object.eventTime ?? '') !== '';
  if (involved === namespace || (isNewer && involved !== '')) return [];
  if (involved === '' && (namespace === 'default' || (isNewer && namespace === namespaces.system))) return [];
  return [invalidField('involvedObject.namespace', involved, 'does not match metadata.namespace')];
}

/** Validates the reporter, action and reason of an event; the reporter's field has different names in different versions. */
export function eventReporterErrors(object: Event, reporterField: string): FieldError[] {
  const reporter = object.reportingComponent ?? '';
  return [
    ...(reporter === '' ? [requiredField(reporterField)] : []),
    ...validateQualifiedName(reporter).map(message => invalidField(reporterField, reporter, message)),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap(field =>
      (object[field] ?? '') === '' ? [requiredField(field)] : lengthErrors(object, field, 128),
    ),
    ...lengthErrors(object, 'message', 1024),
  ];
}

function lengthErrors(
  object: Event,
  field: 'reportingInstance' | 'action' | 'reason' | 'message',
  longest: number,
): FieldError[] {
  if (Buffer.byteLength(object[field] ?? '') <= longest) return [];
  return [invalidField(field, '', `can have at most ${longest} characters`)];
}

function cells(object: Event, now: number): JsonValue[] {
  const { involvedObject = {}, series } = object;
  const eventTime = object.eventTime ?? '';
  const first = object.firstTimestamp || eventTime;
  const last = series?.lastObservedTime || object.lastTimestamp || first;
  const count = series?.count || object.count || (eventTime === '' ? 0 : 1);
  return [
    ageSince(last, now),
    object.type ?? '',
    object.reason ?? '',
    `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name ?? ''}`,
    involvedObject.fieldPath ?? '',
    sourceCell(object),
    (object.message ?? '').trim(),
    ageSince(first, now),
    count,
    nameCell(object),
  ];
}

function sourceCell({ source, reportingComponent = '', reportingInstance = '' }: Event): string {
  const component = source?.component || reportingComponent;
  const host = source?.host || reportingInstance;
  return host === '' ? component : `${component}, ${host}`;
}
