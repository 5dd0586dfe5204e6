import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CachedObject, CacheEvent } from '../contract/contract.ts';
import { EventWindow } from './event-window.ts';

/** A version of an object, with what a window reads of one. */
function version(key: string, revision: number, bytes = 10): CachedObject {
  return { key, revision, stored: { length: bytes } } as unknown as CachedObject; // Nothing else is read.
}

interface EventParts {
  readonly key?: string;
  readonly type?: CacheEvent['type'];
  readonly previous?: CachedObject;
  readonly bytes?: number;
  readonly received?: number;
}

function event(
  revision: number,
  { key = 'a', type = 'MODIFIED', previous, bytes, received = 0 }: EventParts = {},
) {
  return { type, object: version(key, revision, bytes), previous, revision, received } as CacheEvent;
}

const unlimited = { milliseconds: 1000, events: 1_000_000, bytes: 1_000_000_000 };

/** A window after revision 0 with changes at some revisions. */
function windowWith(revisions: readonly number[], limits: Partial<typeof unlimited> = {}): EventWindow {
  const window = new EventWindow({ ...unlimited, ...limits }, 0);
  for (const revision of revisions) window.append(event(revision));
  return window;
}

/** The revisions that a reader of the window sees, from its oldest one. */
function contents(window: EventWindow): number[] {
  const revisions: number[] = [];
  for (let i = window.indexAfter(window.oldestRevision); window.at(i) !== undefined; i++)
    revisions.push(window.at(i)!.revision); // Within bounds.
  return revisions;
}

function figures(window: EventWindow) {
  const { oldestRevision, lastRevision, size, bytes } = window;
  return { oldestRevision, lastRevision, size, bytes };
}

test('an empty window begins and ends at its oldest revision', () => {
  assert.deepEqual(figures(new EventWindow(unlimited, 7)), {
    ...{ oldestRevision: 7, lastRevision: 7, size: 0, bytes: 0 },
  });
});

test('an empty window is extended to earlier revisions, never to later ones; a window with changes is not', () => {
  const window = new EventWindow(unlimited, 7);
  window.extendBack(5);
  window.extendBack(6);
  assert.equal(window.oldestRevision, 5);
  window.append(event(8));
  window.extendBack(3);
  assert.equal(window.oldestRevision, 5);
});

test('a window holds as many changes as its limit, and begins after the last one that it dropped', () => {
  const window = windowWith([1, 2, 3], { events: 3 });
  assert.deepEqual(figures(window), { oldestRevision: 0, lastRevision: 3, size: 3, bytes: 30 });
  window.append(event(4));
  assert.deepEqual(figures(window), { oldestRevision: 1, lastRevision: 4, size: 3, bytes: 30 });
  assert.deepEqual(contents(window), [2, 3, 4]);
});

test('a window holds as many bytes as its limit; a change that is longer leaves it empty', () => {
  const window = windowWith([1, 2, 3], { bytes: 30 });
  assert.deepEqual(contents(window), [1, 2, 3]);
  window.append(event(4, { bytes: 15 }));
  assert.deepEqual(figures(window), { oldestRevision: 2, lastRevision: 4, size: 2, bytes: 25 });
  window.append(event(5, { bytes: 31 }));
  assert.deepEqual(figures(window), { oldestRevision: 5, lastRevision: 5, size: 0, bytes: 0 });
  window.append(event(6));
  assert.deepEqual(contents(window), [6]);
});

test('changes are evicted when they are older than the window', () => {
  const window = windowWith([]);
  for (const received of [100, 200, 300]) window.append(event(received, { received }));
  window.evict(1100);
  assert.deepEqual(contents(window), [100, 200, 300]);
  window.evict(1101);
  assert.deepEqual(figures(window), { oldestRevision: 100, lastRevision: 300, size: 2, bytes: 20 });
  window.evict(9999);
  assert.deepEqual(figures(window), { oldestRevision: 300, lastRevision: 300, size: 0, bytes: 0 });
});

test('a window that has dropped thousands of changes keeps those after them, by revision', () => {
  const window = windowWith(
    Array.from({ length: 5000 }, (_, i) => i + 1),
    { events: 100 },
  );
  assert.deepEqual(figures(window), { oldestRevision: 4900, lastRevision: 5000, size: 100, bytes: 1000 });
  assert.deepEqual(
    contents(window),
    Array.from({ length: 100 }, (_, i) => 4901 + i),
  );
  // Dropped changes are not kept for long.
  let kept = 0;
  while (window.at(kept) !== undefined) kept++;
  assert.ok(kept <= 2048, `${kept} changes are kept`);
});

test('a reader continues after the revision that it has read, whether a change has that revision or not', () => {
  const window = windowWith([2, 4, 6]);
  const next = (revision: number) => window.at(window.indexAfter(revision))?.revision;
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7].map(next), [2, 2, 4, 4, 6, 6, undefined, undefined]);
});

test('earlier changes that fit are put before those of the window', () => {
  const window = new EventWindow(unlimited, 5);
  window.append(event(6));
  assert.equal(window.prepend([event(3), event(5)], 2), true);
  assert.deepEqual(contents(window), [3, 5, 6]);
  assert.deepEqual(figures(window), { oldestRevision: 2, lastRevision: 6, size: 3, bytes: 30 });
});

test('of earlier changes the latest are kept where not all fit, by number or by bytes', () => {
  for (const limits of [{ events: 3 }, { bytes: 30 }]) {
    const window = new EventWindow({ ...unlimited, ...limits }, 5);
    window.append(event(6));
    assert.equal(window.prepend([event(2), event(3), event(5)], 1), false);
    assert.deepEqual(contents(window), [3, 5, 6]);
    assert.deepEqual(figures(window), { oldestRevision: 2, lastRevision: 6, size: 3, bytes: 30 });
  }
});

test('earlier changes take the place of those that were dropped', () => {
  const dropped = windowWith([]);
  for (const received of [100, 200, 300]) dropped.append(event(received, { received }));
  dropped.evict(1101);
  assert.equal(dropped.prepend([event(100)], 0), true);
  assert.deepEqual([contents(dropped), dropped.size], [[100, 200, 300], 3]);
  const window = windowWith([1, 2, 3, 4], { events: 3 });
  window.evict(9999);
  window.append(event(5));
  assert.equal(window.prepend([event(3), event(4)], 2), true);
  assert.deepEqual(contents(window), [3, 4, 5]);
});

const old = version('a', 1);

test('the versions at a revision are those before the first change since, by key', () => {
  const window = windowWith([]);
  window.append(event(2, { key: 'a', previous: old }));
  window.append(event(3, { key: 'b', type: 'ADDED' }));
  window.append(event(4, { key: 'a', previous: version('a', 2) }));
  const deletion = event(5, { key: 'c', type: 'DELETED' });
  window.append(deletion);
  const versionsAt = (revision: number) => [...(window.versionsAt(revision, 10) ?? [])];
  assert.deepEqual(versionsAt(1), [
    ['a', old],
    ['b', undefined],
    ['c', deletion.object],
  ]);
  assert.deepEqual(versionsAt(4), [['c', deletion.object]]);
  assert.deepEqual(versionsAt(5), []);
});

test('versions are not known before the window, of more changes than asked for, or where a version has no revision', () => {
  const window = new EventWindow(unlimited, 3);
  for (const revision of [4, 5, 6]) window.append(event(revision, { previous: old }));
  assert.equal(window.versionsAt(2, 10), undefined);
  assert.equal(window.versionsAt(3, 2), undefined);
  assert.equal(window.versionsAt(3, 3)?.size, 1);
  assert.equal(window.versionsAt(4, 2)?.size, 1);
  window.append(event(7, { key: 'b', previous: version('b', 0) }));
  assert.equal(window.versionsAt(3, 10), undefined);
  assert.equal(window.versionsAt(7, 10)?.size, 0);
});
