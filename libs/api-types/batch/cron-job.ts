import {
  type FieldError,
  fieldPath,
  invalidField,
  type JsonValue,
  requiredField,
} from '@binnacle/api-objects';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { CronJob, CronJobSpec } from '../generated/batch/v1.ts';
import { ageSince } from '../printing/age.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { cronScheduleProblem } from './cron-schedule.ts';
import { jobTemplateErrors } from './job-validation.ts';
import { isTimeZone } from './time-zones.ts';

const spec$ = fieldPath('spec');
const counts = ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'];

/** Job names append the minute to the name of the cron job, which takes eleven characters. */
const longestName = 63 - 11;

/** The rules of CronJob objects. */
export const cronJobRules: KindRules<CronJob> = {
  generation: true,
  gatedFields: [
    { gate: 'CronJobTimeZone', paths: ['spec.timeZone'] },
    ...gatedPodFields('spec.jobTemplate.spec.template'),
  ],
  gatedRules: gatedPodRules('spec.jobTemplate.spec.template'),
  applyDefaults: object => applyPodTemplateDefaults(object.spec?.jobTemplate?.spec?.template),
  validate: cronJobErrors,
  validateCreate({ metadata: { name = '' } }) {
    if (name.length <= longestName) return [];
    return [invalidField('metadata.name', name, `must be no more than ${longestName} characters`)];
  },
  warnings: (object, old) => [
    ...changedTemplateWarnings(object, old, () =>
      podWarnings(object.spec?.jobTemplate?.spec?.template ?? {}, 'spec.jobTemplate.spec.template'),
    ),
    ...scheduleWarnings(object.spec ?? {}),
  ],
  columns: [
    nameColumn,
    column('Schedule', 'When jobs are made.'),
    column('Suspend', 'Whether no jobs are made for now.', { type: 'boolean' }),
    column('Active', 'How many jobs are running.', { type: 'integer' }),
    column('Last Schedule', 'How long ago the last job was made.'),
    ageColumn,
    ...templateColumns,
  ],
  cells,
};

function scheduleWarnings({ schedule = '' }: CronJobSpec): string[] {
  if (!schedule.includes('TZ')) return [];
  return [
    `${spec$.child('schedule')}: TZ and CRON_TZ are not officially supported, use the field "timeZone" instead`,
  ];
}

function cronJobErrors(object: CronJob): FieldError[] {
  const spec = object.spec ?? {};
  return [
    ...scheduleErrors(spec),
    ...timeZoneErrors(spec.timeZone),
    ...nonNegativeErrors(spec, counts, spec$),
    ...jobTemplateErrors(spec.jobTemplate ?? {}, spec$.child('jobTemplate')),
  ];
}

function scheduleErrors(spec: CronJobSpec): FieldError[] {
  const path = spec$.child('schedule');
  const { schedule = '' } = spec;
  if (schedule === '') return [requiredField(path)];
  const errors: FieldError[] = [];
  const problem = cronScheduleProblem(schedule);
  if (problem !== undefined) errors.push(invalidField(path, schedule, problem));
  if (schedule.includes('TZ') && spec.timeZone !== undefined)
    errors.push(invalidField(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  return errors;
}

function timeZoneErrors(zone: string | undefined): FieldError[] {
  if (zone === undefined) return [];
  const path = spec$.child('timeZone');
  if (zone === '') return [invalidField(path, zone, 'timeZone must be nil or non-empty string')];
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === 'local')
    errors.push(
      invalidField(path, zone, 'must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    );
  if (zone !== 'Local' && !isTimeZone(zone))
    errors.push(invalidField(path, zone, `unknown time zone ${zone}`));
  return errors;
}

function cells(object: CronJob, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const { active, lastScheduleTime: last } = object.status ?? {};
  const job = spec.jobTemplate?.spec;
  return [
    nameCell(object),
    spec.schedule ?? '',
    spec.suspend === undefined ? '<unset>' : spec.suspend === true ? 'True' : 'False',
    (active ?? []).length,
    last === undefined ? '<none>' : ageSince(last, now),
    ageCell(object, now),
    ...containerCells(job?.template),
    selectorCell(job?.selector),
  ];
}
