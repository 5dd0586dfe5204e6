import { eventRules as coreEventRules } from '../core/event.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Event } from '../generated/events/v1.ts';
import { coreEventFrom, eventConversion } from './conversion.ts';
import { eventCreateErrors, eventErrors, eventUpdateErrors } from './event-validation.ts';

/** The rules of Event objects of the events group: complete at creation, then only the series may change. */
export const eventRules: KindRules<Event> = {
  createOnUpdate: true,
  // Errors name the core group, which contains the same event.
  findingsGroup: '',
  hasNoDependents: true,
  validate: eventErrors,
  validateCreate: eventCreateErrors,
  validateUpdate: eventUpdateErrors,
  selectableFieldNames: [
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
      field => `regarding.${field}`,
    ),
    'reason',
    'reportingController',
    'type',
  ],
  selectableFields,
  columns: coreEventRules.columns ?? [],
  cells: (object, now) => coreEventRules.cells?.(coreEventFrom(object), now) ?? [],
  conversion: eventConversion,
};

function selectableFields(object: Event): Record<string, string> {
  const fields = coreEventRules.selectableFields?.(coreEventFrom(object)) ?? {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (name === 'source') return [];
      const here = name === 'reportingComponent' ? 'reportingController' : name;
      return [[here.replace(/^involvedObject\./, 'regarding.'), value]];
    }),
  );
}
