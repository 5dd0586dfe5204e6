import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { allRules } from '../authorizer.ts';
import { policyRulesFrom } from '../policy-rule.ts';
import { describeRules } from './describe-rules.ts';
import { uncoveredRules } from './rule-coverage.ts';

type Rule = JsonObject;
const rulesFrom = (rules: Rule[]) => policyRulesFrom(rules, group => group);
const on = (resources: string[], verbs: string[], more: Rule = {}): Rule => ({
  apiGroups: [''],
  resources,
  verbs,
  ...more,
});
const named = (resources: string[], verbs: string[], ...resourceNames: string[]): Rule =>
  on(resources, verbs, { resourceNames });
const paths = (...nonResourceURLs: string[]): Rule => ({ verbs: ['get'], nonResourceURLs });

interface Case {
  readonly what: string;
  readonly held: Rule[];
  readonly wanted: Rule[];
  /** As described; empty: all is covered. */
  readonly uncovered: string[];
}

const getPods = '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}';

const cases: Case[] = [
  { what: 'nothing wants nothing', held: [], wanted: [], uncovered: [] },
  {
    what: 'nothing covers nothing',
    held: [],
    wanted: [on(['pods'], ['get'])],
    uncovered: [getPods],
  },
  {
    what: 'a rule covers itself',
    held: [on(['pods'], ['get'])],
    wanted: [on(['pods'], ['get'])],
    uncovered: [],
  },
  {
    what: 'a wider rule covers a narrower one',
    held: [on(['pods', 'services'], ['get', 'list'])],
    wanted: [on(['services'], ['list'])],
    uncovered: [],
  },
  {
    what: 'several rules cover one together',
    held: [on(['pods'], ['get']), on(['pods', 'services'], ['list']), on(['services'], ['get'])],
    wanted: [on(['pods', 'services'], ['get', 'list'])],
    uncovered: [],
  },
  {
    what: 'what is missing is named alone, with its verbs together',
    held: [on(['pods'], ['get'])],
    wanted: [on(['pods', 'services'], ['get', 'list'])],
    uncovered: [
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["services"], Verbs:["get" "list"]}',
    ],
  },
  {
    what: 'another group is another thing',
    held: [on(['pods'], ['get'])],
    wanted: [on(['pods'], ['get'], { apiGroups: ['apps'] })],
    uncovered: ['{APIGroups:["apps"], Resources:["pods"], Verbs:["get"]}'],
  },
  {
    what: 'wildcards cover everything on resources',
    held: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    wanted: [on(['pods/log', '*/scale', '*'], ['get', '*'], { apiGroups: ['', '*'] })],
    uncovered: [],
  },
  {
    what: 'single values do not add up to a wildcard',
    held: [on(['pods'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'])],
    wanted: [on(['pods'], ['*']), on(['*'], ['get']), on(['pods'], ['get'], { apiGroups: ['*'] })],
    uncovered: [
      '{APIGroups:[""], Resources:["*"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
      '{APIGroups:["*"], Resources:["pods"], Verbs:["get"]}',
    ],
  },
  {
    what: 'a resource does not cover its subresources',
    held: [on(['pods'], ['get'])],
    wanted: [on(['pods/log'], ['get'])],
    uncovered: ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
  },
  {
    what: 'a subresource of all covers that of each, and itself',
    held: [on(['*/status'], ['get'])],
    wanted: [on(['pods/status', '*/status'], ['get'])],
    uncovered: [],
  },
  {
    what: 'a subresource of all covers neither another nor the resource',
    held: [on(['*/status'], ['get'])],
    wanted: [on(['pods/log', 'pods', 'status'], ['get'])],
    uncovered: [
      getPods,
      '{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["status"], Verbs:["get"]}',
    ],
  },
  {
    what: 'a rule for every name covers single names',
    held: [on(['pods'], ['get'])],
    wanted: [named(['pods'], ['get'], 'a', 'b')],
    uncovered: [],
  },
  {
    what: 'a rule for single names does not cover every name',
    held: [named(['pods'], ['get'], 'a')],
    wanted: [on(['pods'], ['get'])],
    uncovered: [getPods],
  },
  {
    what: 'names are covered one by one',
    held: [named(['pods'], ['get'], 'a'), named(['pods'], ['get'], 'b')],
    wanted: [named(['pods'], ['get'], 'a', 'b', 'c')],
    uncovered: ['{APIGroups:[""], Resources:["pods"], ResourceNames:["c"], Verbs:["get"]}'],
  },
  { what: 'a path covers itself', held: [paths('/metrics')], wanted: [paths('/metrics')], uncovered: [] },
  {
    what: 'a path with a star covers what begins like it, and its own kind',
    held: [paths('/api/*')],
    wanted: [paths('/api/v1', '/api/*', '/api/v1/*', '/api/')],
    uncovered: [],
  },
  {
    what: 'a path with a star does not cover a shorter one',
    held: [paths('/api/*')],
    wanted: [paths('/api', '/api*', '*')],
    uncovered: [
      '{NonResourceURLs:["*"], Verbs:["get"]}',
      '{NonResourceURLs:["/api"], Verbs:["get"]}',
      '{NonResourceURLs:["/api*"], Verbs:["get"]}',
    ],
  },
  {
    what: 'all paths cover each path, but for other verbs',
    held: [paths('*')],
    wanted: [{ verbs: ['get', 'put'], nonResourceURLs: ['/x'] }],
    uncovered: ['{NonResourceURLs:["/x"], Verbs:["put"]}'],
  },
  {
    what: 'rights on resources are none on paths',
    held: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    wanted: [paths('/x')],
    uncovered: ['{NonResourceURLs:["/x"], Verbs:["get"]}'],
  },
  {
    what: 'rights on paths are none on resources',
    held: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    wanted: [on(['pods'], ['get'])],
    uncovered: [getPods],
  },
];

for (const { what, held, wanted, uncovered } of cases) {
  test(what, () => {
    const found = uncoveredRules(rulesFrom(held), rulesFrom(wanted));
    assert.deepEqual(describeRules(found).split('\n').filter(Boolean), uncovered);
  });
}

test('a user with all rights covers every rule', () => {
  for (const { wanted } of cases) assert.deepEqual(uncoveredRules(allRules, rulesFrom(wanted)), []);
});

test('a rule with very many rights is covered by a single rule or not at all', () => {
  const many = (prefix: string) => Array.from({ length: 1000 }, (_, i) => `${prefix}${i}`);
  const huge = on(many('r'), many('v'), { apiGroups: many('g') });
  assert.deepEqual(uncoveredRules(rulesFrom([huge]), rulesFrom([huge])), []);
  const [first, ...rest] = many('v');
  const halves = [on(many('r'), [first ?? ''], { apiGroups: many('g') }), { ...huge, verbs: rest }];
  const found = uncoveredRules(rulesFrom(halves), rulesFrom([huge]));
  assert.equal(found.length, 1);
  assert.ok(describeRules(found).length < 1000);
});

test('a long list of uncovered rules is shortened', () => {
  const wanted = rulesFrom([
    on(
      Array.from({ length: 60 }, (_, i) => `r${i}`),
      ['get'],
    ),
  ]);
  const lines = describeRules(uncoveredRules([], wanted)).split('\n');
  assert.equal(lines.length, 51);
  assert.equal(lines[50], 'and 10 more');
});
