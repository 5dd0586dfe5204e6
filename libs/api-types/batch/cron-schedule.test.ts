import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cronScheduleProblem } from './cron-schedule.ts';

describe('a cron schedule', () => {
  for (const schedule of [
    '* * * * *',
    '? ? ? ? ?',
    '*/5 0-6/2 1,15 JAN-mar mon',
    '0 0 31 12 6',
    '5/15 * * * *',
    '  0   0 * * *  ',
    '@hourly',
    '@midnight',
    '@every 1h30m',
    'TZ=Europe/Rome 0 0 * * *',
    'CRON_TZ=UTC @daily',
  ])
    it(`${schedule} is valid`, () => assert.equal(cronScheduleProblem(schedule), undefined));

  for (const [schedule, problem] of [
    ['', /exactly 5 fields, found 0/],
    ['* * * *', /exactly 5 fields, found 4/],
    ['* * * * * *', /exactly 5 fields, found 6/],
    ['60 * * * *', /minute: end of range \(60\) above maximum \(59\)/],
    ['* 24 * * *', /hour: /],
    ['* * 0 * *', /day of month: beginning of range \(0\) below minimum \(1\)/],
    ['* * * 13 *', /month: /],
    ['* * * * 7', /day of week: /],
    ['5-1 * * * *', /beyond end of range/],
    ['*/0 * * * *', /step must be a positive number/],
    ['*/x * * * *', /step must be a positive number/],
    ['1/2/3 * * * *', /too many slashes/],
    ['1-2-3 * * * *', /too many hyphens/],
    ['jan * * * *', /minute: not a value/],
    ['-1 * * * *', /not a value/],
    ['1,,2 * * * *', /not a value/],
    ['1.5 * * * *', /not a value/],
    ['@sometimes', /unrecognized descriptor/],
    ['@every soon', /failed to parse duration/],
    ['TZ=Nowhere/Land * * * * *', /unknown time zone Nowhere\/Land/],
    ['TZ=+01:00 * * * * *', /unknown time zone/],
    [`${'1,'.repeat(1000)}1 * * * *`, /no more than 1024 characters/],
  ] as const)
    it(`${schedule.slice(0, 30) || 'an empty schedule'} is invalid`, () =>
      assert.match(cronScheduleProblem(schedule) ?? '', problem));
});
