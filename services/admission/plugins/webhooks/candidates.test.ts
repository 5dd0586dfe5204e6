import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import type { TypeCache } from '@binnacle/watch-cache';
import { createCandidates } from './candidates.ts';
import { ruleFrom } from './webhook.ts';

const registry = createTypeRegistry({ everyVersion: true });
const createType = (group: string, version: string, resource: string) => {
  const definition = registry.resource(group, version, resource);
  assert.ok(definition);
  return definition;
};
const pods = createType('', 'v1', 'pods');
const scaled = createType('autoscaling', 'v2', 'horizontalpodautoscalers');
const scaledBefore = createType('autoscaling', 'v1', 'horizontalpodautoscalers');

type RuleOperation = 'CREATE' | 'DELETE' | '*';

interface Configured {
  readonly name: string;
  readonly rules: Parameters<typeof ruleFrom>[0] | undefined;
  readonly matchesEquivalents: boolean;
}

function createTable(configured: Configured[]) {
  const listeners: (() => void)[] = [];
  const counts = { reads: 0 };
  const cache = {
    subscribe(listener: () => void) {
      listeners.push(listener);
      return () => {};
    },
  } as unknown as TypeCache; // no more of it is used
  const candidates = createCandidates({
    caches: [cache],
    read() {
      counts.reads++;
      return [...configured];
    },
    rulesOf: ({ rules, matchesEquivalents }) => ({
      rules: rules && [ruleFrom(rules)],
      matchesEquivalents,
    }),
    equivalents: definition => (definition === scaled ? [scaledBefore] : []),
  });
  const names = (definition: typeof pods, operation: 'CREATE' | 'DELETE') =>
    candidates({ definition, operation }).map(({ name }) => name);
  const change = () => {
    for (const listener of listeners) listener();
  };
  return { names, change, counts };
}

const rule = (group: string, version: string, resource: string, operation: RuleOperation) => ({
  apiGroups: [group],
  apiVersions: [version],
  resources: [resource],
  operations: [operation],
});

test('candidates are the webhooks whose rules can match a type and operation, with subresources and equivalents', () => {
  const { names } = createTable([
    { name: 'all', rules: undefined, matchesEquivalents: false },
    { name: 'pods', rules: rule('', 'v1', 'pods', 'CREATE'), matchesEquivalents: false },
    { name: 'status', rules: rule('', 'v1', 'pods/status', '*'), matchesEquivalents: false },
    { name: 'every', rules: rule('*', '*', '*/*', 'DELETE'), matchesEquivalents: false },
    {
      name: 'v1',
      rules: rule('autoscaling', 'v1', 'horizontalpodautoscalers', '*'),
      matchesEquivalents: true,
    },
    {
      name: 'exact',
      rules: rule('autoscaling', 'v1', 'horizontalpodautoscalers', '*'),
      matchesEquivalents: false,
    },
  ]);
  assert.deepEqual(names(pods, 'CREATE'), ['all', 'pods', 'status']);
  assert.deepEqual(names(pods, 'DELETE'), ['all', 'status', 'every']);
  assert.deepEqual(names(scaled, 'CREATE'), ['all', 'v1']);
  assert.deepEqual(names(scaledBefore, 'CREATE'), ['all', 'v1', 'exact']);
});

test('a configuration is parsed once, and again after a change', () => {
  const configured: Configured[] = [{ name: 'a', rules: undefined, matchesEquivalents: true }];
  const { names, change, counts } = createTable(configured);
  names(pods, 'CREATE');
  names(pods, 'DELETE');
  names(pods, 'CREATE');
  assert.equal(counts.reads, 1);
  configured.push({ name: 'b', rules: undefined, matchesEquivalents: true });
  assert.deepEqual(names(pods, 'CREATE'), ['a']);
  change();
  assert.deepEqual(names(pods, 'CREATE'), ['a', 'b']);
  assert.equal(counts.reads, 2);
});
