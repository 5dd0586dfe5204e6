import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { tolerateResources } from './extended-resource-toleration.ts';

const asking = (...resources: string[]) => ({
  resources: { requests: Object.fromEntries(resources.map(name => [name, '1'])) },
});
const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' });

test('every requested extended resource gets a toleration, ordered by name', () => {
  const spec: JsonObject = {
    containers: [asking('example.com/b', 'cpu', 'cluster.io/c'), asking('example.com/a')],
    initContainers: [asking('example.com/d', 'requests.example.com/e')],
  };
  assert.equal(tolerateResources(spec), true);
  assert.deepEqual(spec['tolerations'], ['example.com/a', 'example.com/b', 'example.com/d'].map(toleration));
});

test('an existing toleration keeps its position and loses its time limit', () => {
  const spec: JsonObject = {
    containers: [asking('example.com/a')],
    tolerations: [{ ...toleration('example.com/a'), tolerationSeconds: 5 }, toleration('other')],
  };
  assert.equal(tolerateResources(spec), true);
  assert.deepEqual(spec['tolerations'], [toleration('example.com/a'), toleration('other')]);
  assert.equal(tolerateResources(spec), false);
});

test('a pod without extended resources is not changed', () => {
  const spec: JsonObject = { containers: [asking('cpu', 'memory', 'kubernetes.io/x')] };
  assert.equal(tolerateResources(spec), false);
  assert.equal(spec['tolerations'], undefined);
});
