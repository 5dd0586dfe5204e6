import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

const rules = parse(read('deploy/prometheus/alerts.yml')) as Rules;
const alerts = rules.groups.flatMap(group => group.rules.map(({ alert }) => alert)).sort();

test('the tests of the rules make every alert fire', () => {
  const { tests } = parse(read('deploy/prometheus/alerts.test.yml')) as RuleTests;
  const fired = tests
    .flatMap(each => each.alert_rule_test)
    .filter(each => each.exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  assert.deepEqual([...new Set(fired)].sort(), alerts);
});

test('every alert has a section in the runbook with symptoms and actions', () => {
  const sections = new Map(
    read('docs/runbook.md')
      .split(/^## /m)
      .slice(1)
      .map(section => [section.slice(0, section.indexOf('\n')), section] as const),
  );
  assert.deepEqual([...sections.keys()].sort(), alerts);
  for (const [alert, section] of sections) {
    assert.match(section, /^\*\*Seen:\*\* \S/m, alert);
    assert.match(section, /^\*\*Do:\*\* \S/m, alert);
  }
});

test('the runbook says for every alert how to make it fire on running services', () => {
  const [, table = ''] = read('docs/runbook.md').split('| alert | made to fire by | ended by |');
  const rows = table.slice(0, table.indexOf('\n\n')).matchAll(/^\| ([A-Za-z, ]+) \|/gm);
  const named = new Set([...rows].flatMap(([, names = '']) => names.split(', ')));
  assert.deepEqual([...named].sort(), alerts);
});

test('links of the runbook lead to existing sections', () => {
  const links = [...read('docs/runbook.md').matchAll(/\]\(#([a-z]+)\)/g)].map(([, name = '']) => name);
  assert.ok(links.length > 10);
  const names = alerts.map(alert => alert.toLowerCase());
  assert.deepEqual(
    links.filter(link => !names.includes(link)),
    [],
  );
});
