import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition } from '../test-drivers/process.ts';

const jobTemplate = { spec: { template: podTemplate({ restartPolicy: 'Never' }) } };
const job$ = 'spec.jobTemplate.spec';

describe('a cron job', () => {
  it('allows concurrent jobs and keeps a short history by default', () => {
    const { object, findings } = create('cronjobs', { spec: { schedule: '@daily', jobTemplate } });
    assert.deepEqual(findings, []);
    const { jobTemplate: template, ...spec } = object['spec'] as Record<string, unknown>;
    assert.deepEqual(spec, {
      schedule: '@daily',
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    // The job gets its defaults when it is created.
    assert.deepEqual(Object.keys((template as { spec: object }).spec), ['template']);
  });

  const cases: readonly [fields: object, findings: readonly string[]][] = [
    [{ schedule: undefined }, ['Required spec.schedule']],
    [{ schedule: 'soon' }, ['Invalid spec.schedule']],
    [{ schedule: 'TZ=UTC * * * * *' }, []],
    [{ schedule: 'TZ=UTC * * * * *', timeZone: 'UTC' }, ['Invalid spec.schedule']],
    [{ timeZone: 'Europe/Berlin' }, []],
    [{ timeZone: '' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'Local' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'local' }, ['Invalid spec.timeZone', 'Invalid spec.timeZone']],
    [{ timeZone: 'Nowhere' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'europe/rome' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'utc' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'PST' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'Europe' }, ['Invalid spec.timeZone']],
    [{ timeZone: 'Etc/GMT+5' }, []],
    [{ timeZone: 'US/Pacific' }, []],
    [{ timeZone: 'America/Argentina/ComodRivadavia' }, []],
    [{ schedule: 'TZ=europe/rome * * * * *' }, ['Invalid spec.schedule']],
    [{ schedule: 'TZ=Local * * * * *' }, []],
    [{ schedule: 'CRON_TZ= * * * * *' }, []],
    [{ concurrencyPolicy: 'Maybe' }, ['NotSupported spec.concurrencyPolicy']],
    [{ startingDeadlineSeconds: -1 }, ['Invalid spec.startingDeadlineSeconds']],
    [{ successfulJobsHistoryLimit: -1 }, ['Invalid spec.successfulJobsHistoryLimit']],
    [{ failedJobsHistoryLimit: -1 }, ['Invalid spec.failedJobsHistoryLimit']],
    [
      { jobTemplate: { spec: { template: podTemplate() } } },
      [`Required ${job$}.template.spec.restartPolicy`],
    ],
    [
      { jobTemplate: { spec: { ...jobTemplate.spec, selector: {}, manualSelector: true } } },
      [`Invalid ${job$}.selector`, `NotSupported ${job$}.manualSelector`],
    ],
    [{ jobTemplate: { spec: { ...jobTemplate.spec, backoffLimit: -1 } } }, [`Invalid ${job$}.backoffLimit`]],
  ];
  for (const [fields, findings] of cases)
    it(`with ${JSON.stringify(fields)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        create('cronjobs', { spec: { schedule: '* * * * *', jobTemplate, ...fields } }).findings,
        findings,
      ));

  it('has a name that leaves room for the suffix of its jobs', () => {
    const listFindings = (length: number) =>
      create('cronjobs', {
        metadata: { name: 'n'.repeat(length) },
        spec: { schedule: '@daily', jobTemplate },
      }).findings;
    assert.deepEqual(listFindings(52), []);
    assert.deepEqual(listFindings(53), ['Invalid metadata.name']);
  });

  it('is printed with its schedule and last job', () => {
    const { object } = create('cronjobs', { spec: { schedule: '@daily', jobTemplate } });
    const { cells } = findDefinition('cronjobs').rules;
    assert.deepEqual(cells?.(object, 0).slice(0, 5), ['a', '@daily', 'False', 0, '<none>']);
    object['status'] = { active: [{ name: 'j' }], lastScheduleTime: '2024-01-01T00:00:00Z' };
    assert.deepEqual(cells?.(object, Date.parse('2024-01-01T00:01:00Z')), [
      'a',
      '@daily',
      'False',
      1,
      '60s',
      '<unknown>',
      'c',
      'i:1',
      '<none>',
    ]);
  });
});
