import { fairnessScenarios } from './fairness.ts';
import { fanOutScenarios } from './fan-out.ts';
import { requestScenarios } from './requests.ts';
import type { Scenario } from './scenario.ts';
import { stallScenarios } from './stalls.ts';
import { memoryScenarios } from './watch-memory.ts';

/** Every scenario in the order in which they run: the first one creates what the others work on. */
export const scenarios: readonly Scenario[] = [
  ...requestScenarios,
  ...fairnessScenarios,
  ...memoryScenarios,
  ...fanOutScenarios,
  ...stallScenarios,
];

/** The scenarios that are compared between the forms unless others are named. */
export const comparedScenarios: readonly string[] = [
  'create',
  'get',
  'update',
  'patch',
  'apply',
  'list',
  'watch-steady',
  'watch-burst',
];
