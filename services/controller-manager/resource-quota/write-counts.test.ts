import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { quotaStateFrom } from '@binnacle/api-types';
import type { QuotaApi } from './quota-api.ts';
import { writeCounts } from './write-counts.ts';

const quotaWith = (version: string, status: JsonObject, hard: JsonObject = { pods: '9' }): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'a', uid: 'u', resourceVersion: version },
    spec: { hard },
    status,
  }) as ApiObject; // Has what objects must have.
const usage = (amounts: JsonObject) => quotaStateFrom(quotaWith('0', { used: amounts })).used;

/** A quota through time, by version; the last one is the current one. */
function createApi(history: readonly ApiObject[], written: ApiObject[]): QuotaApi {
  const current = history.at(-1);
  return {
    quota: async () => current,
    quotaAt: async (_namespace, _name, version) =>
      history.findLast(({ metadata }) => Number(metadata.resourceVersion) <= Number(version)),
    async writeStatus(quota) {
      if (quota.metadata.resourceVersion !== current?.metadata.resourceVersion) return false;
      written.push(quota);
      return true;
    },
    visit: async () => undefined,
    count: async () => undefined,
  };
}

interface Case {
  readonly name: string;
  readonly history: readonly ApiObject[];
  readonly counted: JsonObject;
  readonly at: string;
  readonly done: boolean;
  readonly status: unknown;
}

const hard = { pods: '9' };
const cases: readonly Case[] = [
  {
    name: 'a quota that has not moved says what was counted',
    history: [quotaWith('5', {})],
    counted: { pods: '3' },
    at: '7',
    done: true,
    status: { hard, used: { pods: '3' } },
  },
  {
    name: 'what came after the count is added to it, what came before is not',
    history: [
      quotaWith('5', { hard, used: { pods: '1' } }),
      quotaWith('6', { hard, used: { pods: '2' } }),
      quotaWith('8', { hard, used: { pods: '6' } }),
    ],
    counted: { pods: '3' },
    at: '7',
    done: true,
    status: { hard, used: { pods: '7' } },
  },
  {
    name: 'a quota that says nothing yet gets an approximation, and no limits',
    history: [quotaWith('5', {}), quotaWith('8', {})],
    counted: { pods: '3' },
    at: '7',
    done: false,
    status: { hard: {}, used: { pods: '3' } },
  },
  {
    name: 'limits that changed meanwhile are counted anew',
    history: [
      quotaWith('5', { hard, used: { pods: '1' } }),
      quotaWith('8', { hard, used: { pods: '1' } }, { pods: '9', secrets: '1' }),
    ],
    counted: { pods: '3' },
    at: '7',
    done: false,
    status: undefined,
  },
  {
    name: 'nothing is used less than not at all',
    history: [quotaWith('5', { hard, used: { pods: '4' } }), quotaWith('8', { hard, used: { pods: '0' } })],
    counted: { pods: '3' },
    at: '7',
    done: true,
    status: { hard, used: { pods: '0' } },
  },
];
for (const { name, history, counted, at, done, status } of cases) {
  test(name, async () => {
    const written: ApiObject[] = [];
    const [quota] = history;
    assert.ok(quota);
    const counts = [{ used: usage(counted), resourceVersion: at }];
    assert.equal(await writeCounts({ quota, counts }, createApi(history, written)), done);
    assert.deepEqual(written.at(-1)?.['status'], status);
  });
}
