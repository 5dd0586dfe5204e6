import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { StatusError } from '@binnacle/status-errors';
import { createReview, type ReviewParts } from '../test-drivers/plugin-fixture.ts';
import { createAdmissionChain } from './admission-chain.ts';
import { type AdmissionMetrics, createAdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { objectToChange, type Review } from './review.ts';

const configMap: ReviewParts = {
  type: '/v1/configmaps',
  namespace: 't',
  object: { metadata: { name: 'a' } },
};
const pod: ReviewParts = {
  type: '/v1/pods',
  namespace: 't',
  object: { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};
const noMetrics = createAdmissionMetrics(undefined);

type Effect = (review: Review) => void;

/** A plugin that notes its runs, each after a turn of the event loop where `waits` is set. */
function notingPlugin(
  name: string,
  runs: string[],
  { waits = false, effect = (() => {}) as Effect } = {},
): AdmissionPlugin {
  const note = (phase: string, review: Review) => {
    runs.push(`${phase} ${name}${review.isReinvocation ? ' again' : ''}`);
    if (phase === 'mutate') effect(review);
    return 'unchanged' as const;
  };
  return {
    name,
    mutate: review => (waits ? turn().then(() => note('mutate', review)) : note('mutate', review)),
    validate: review =>
      waits ? turn().then(() => void note('validate', review)) : void note('validate', review),
  };
}

const chainWith = (...plugins: readonly AdmissionPlugin[]) =>
  createAdmissionChain(
    plugins.map(plugin => ({ plugin })),
    noMetrics,
  );

for (const waiting of [[], ['a'], ['b'], ['c'], ['a', 'b', 'c']])
  suite(waiting.length === 0 ? 'where no plugin waits' : `where ${waiting.join(', ')} wait`, () => {
    const plugins = (runs: string[], effect: Effect) =>
      ['a', 'b', 'c'].map(name =>
        notingPlugin(name, runs, { waits: waiting.includes(name), effect: name === 'b' ? effect : () => {} }),
      );
    const runs = (phase: string, end = '') => ['a', 'b', 'c'].map(name => `${phase} ${name}${end}`);

    test('every plugin mutates before one validates, in their order', async () => {
      const done: string[] = [];
      await chainWith(...plugins(done, () => {}))(createReview(configMap));
      assert.deepEqual(done, [...runs('mutate'), ...runs('validate')]);
    });

    test('a plugin that asks for it has all plugins mutate once more, and no further time', async () => {
      const done: string[] = [];
      const review = createReview(configMap);
      await chainWith(
        ...plugins(done, each => {
          each.shouldReinvoke = true;
        }),
      )(review);
      assert.deepEqual(done, [...runs('mutate'), ...runs('mutate', ' again'), ...runs('validate', ' again')]);
    });

    test('after a refusal no further plugin runs', async () => {
      const done: string[] = [];
      const refusing = plugins(done, () => {
        throw new Error('no');
      });
      await assert.rejects(async () => chainWith(...refusing)(createReview(configMap)), /no/);
      assert.deepEqual(done, ['mutate a', 'mutate b']);
    });
  });

test('a plugin reviews the resources and operations of its registration alone, others review all', async () => {
  const done: string[] = [];
  const chain = createAdmissionChain(
    [
      { plugin: notingPlugin('all', done) },
      { plugin: notingPlugin('secrets', done), concerns: ['/secrets'] },
      { plugin: notingPlugin('config maps', done), concerns: ['/secrets', '/configmaps'] },
      { plugin: notingPlugin('updates', done), operations: ['UPDATE'] },
      {
        plugin: notingPlugin('updates of config maps', done),
        concerns: ['/configmaps'],
        operations: ['UPDATE'],
      },
    ],
    noMetrics,
  );
  const validated = async (parts: ReviewParts) => {
    await chain(createReview(parts));
    return done
      .splice(0)
      .filter(run => run.startsWith('validate'))
      .map(run => run.slice('validate '.length));
  };
  assert.deepEqual(await validated(configMap), ['all', 'config maps']);
  const update: ReviewParts = { ...configMap, operation: 'UPDATE', oldObject: { metadata: { name: 'a' } } };
  const withVersion = { ...update, object: { metadata: { name: 'a', resourceVersion: '1' } } };
  assert.deepEqual(await validated(withVersion), ['all', 'config maps', 'updates', 'updates of config maps']);
  assert.deepEqual(await validated({ type: '/v1/secrets', namespace: 't', operation: 'DELETE', name: 'a' }), [
    'all',
    'secrets',
    'config maps',
  ]);
  assert.deepEqual(await validated(configMap), ['all', 'config maps']);
});

for (const waits of [false, true])
  test(`an object that a plugin ${waits ? 'changes after a wait' : 'changes'} is given its defaults before it is validated`, async () => {
    const change = (review: Review) => {
      objectToChange(review).metadata.labels = { changed: 'yes' };
      return 'changed' as const;
    };
    const labelling: AdmissionPlugin = {
      name: 'Labelling',
      mutate: review => (waits ? turn().then(() => change(review)) : change(review)),
    };
    const review = createReview(pod);
    await chainWith(labelling)(review);
    assert.ok(review.isChanged);
    assert.equal((review.object?.['spec'] as Record<string, unknown>)['restartPolicy'], 'Always');
  });

test('an unchanged object is validated as it came, before plugins validate', async () => {
  const done: string[] = [];
  const review = createReview(pod);
  await assert.rejects(
    async () => chainWith(notingPlugin('a', done))(review),
    (error: unknown) => error instanceof StatusError && error.code === 422,
  );
  assert.deepEqual([review.isChanged, done], [false, ['mutate a']]);
});

test('an object of another kind, such as a Scale, is neither given defaults nor validated', async () => {
  const done: string[] = [];
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const review: Review = { ...createReview({ ...pod, subresource: 'scale' }), kind: scale, isChanged: true };
  await chainWith(notingPlugin('a', done))(review);
  assert.deepEqual(done, ['mutate a', 'validate a']);
  assert.equal((review.object?.['spec'] as Record<string, unknown>)['restartPolicy'], undefined);
});

suite('the warnings of a kind', () => {
  const warned = async (parts: ReviewParts, count: number) => {
    const review = createReview(parts);
    const { definition } = review;
    const found = Array.from({ length: count }, (_, i) => `warning ${i}`);
    const rules = { ...definition.rules, warnings: () => found };
    const changed: Review = { ...review, definition: { ...definition, rules } };
    await chainWith()(changed);
    return changed.warnings;
  };

  test('come with an accepted object, 250 at most', async () => {
    assert.deepEqual(await warned(configMap, 2), ['warning 0', 'warning 1']);
    assert.equal((await warned(configMap, 251)).length, 250);
  });

  test('come neither with a deletion nor with a write of a subresource', async () => {
    assert.deepEqual(await warned({ ...configMap, subresource: 'status' }, 2), []);
    assert.deepEqual(await warned({ type: '/v1/configmaps', namespace: 't', operation: 'DELETE' }, 2), []);
  });
});

suite('the metrics of a review', () => {
  const notesFrom = async (plugin: AdmissionPlugin) => {
    const notes: string[] = [];
    const began = performance.now();
    const stopwatch = (name: string) => ({
      note(seconds: number, rejected: boolean) {
        const most = (performance.now() - began) / 1000;
        assert.ok(seconds >= 0 && seconds <= most, `${seconds} of ${most} s`);
        notes.push(`${name}${rejected ? ' refused' : ''}`);
      },
    });
    const metrics: AdmissionMetrics = {
      ...noMetrics,
      plugin: (name, type, operation) => stopwatch(`${name} ${type} ${operation}`),
      phase: (type, operation) => stopwatch(`${type} ${operation}`),
    };
    const run = async () => createAdmissionChain([{ plugin }], metrics)(createReview(configMap));
    await run().catch(() => {});
    // A promise of the chain may be settled before the note of one of its steps.
    await turn();
    return notes;
  };

  for (const waits of [false, true]) {
    const name = waits ? ', after a wait' : '';

    test(`have each plugin and each phase${name}`, async () => {
      assert.deepEqual(await notesFrom(notingPlugin('A', [], { waits })), [
        'A admit CREATE',
        'admit CREATE',
        'A validate CREATE',
        'validate CREATE',
      ]);
    });

    test(`have who refused, and the phase${name}`, async () => {
      const effect = () => {
        throw new Error('no');
      };
      assert.deepEqual(await notesFrom(notingPlugin('A', [], { waits, effect })), [
        'A admit CREATE refused',
        'admit CREATE refused',
      ]);
    });
  }

  test('have nothing of a phase that a plugin has no part in', async () => {
    const mutate = () => 'unchanged' as const;
    assert.deepEqual(await notesFrom({ name: 'A', mutate }), [
      'A admit CREATE',
      'admit CREATE',
      'validate CREATE',
    ]);
    assert.deepEqual(await notesFrom({ name: 'A', validate: () => {} }), [
      'admit CREATE',
      'A validate CREATE',
      'validate CREATE',
    ]);
  });
});
