import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedBy } from '../test-drivers/graph-objects.ts';
import type { OwnerStanding } from './classify-owners.ts';
import { decideCollection } from './decide-collection.ts';
import type { DeletionStage } from './deletion-stage.ts';

interface Case {
  readonly what: string;
  /** Standings of owners named by their index. */
  readonly owners: readonly OwnerStanding[];
  readonly finalizers?: readonly string[];
  readonly dependents?: readonly DeletionStage[];
  readonly expect: string;
}

const cases: readonly Case[] = [
  { what: 'no owner', owners: [], expect: 'keep' },
  { what: 'its owner exists', owners: ['solid'], expect: 'keep' },
  { what: 'its owner is gone', owners: ['absent'], expect: 'remove Background' },
  { what: 'all of its owners are gone', owners: ['absent', 'absent'], expect: 'remove Background' },
  { what: 'one of its owners is gone', owners: ['absent', 'solid'], expect: 'release 0' },
  {
    what: 'one of its owners is gone, one waits, one exists',
    owners: ['absent', 'waiting', 'solid'],
    expect: 'release 0,1',
  },
  { what: 'its owner waits for it', owners: ['waiting'], expect: 'remove Background' },
  {
    what: 'its owner waits for it, and it has dependents',
    owners: ['waiting'],
    dependents: ['live'],
    expect: 'remove Foreground',
  },
  {
    what: 'its owner waits for it, and a dependent of it waits as well',
    owners: ['waiting'],
    dependents: ['live', 'deleting-dependents'],
    expect: 'remove Foreground, unblocked',
  },
  {
    what: 'its owner is gone, and it has dependents',
    owners: ['absent'],
    dependents: ['live'],
    expect: 'remove Background',
  },
  {
    what: 'its owner is gone, and it says that its dependents are to be let go',
    owners: ['absent'],
    finalizers: ['orphan'],
    expect: 'remove Orphan',
  },
  {
    what: 'its owner is gone, and it says that its dependents go first',
    owners: ['absent'],
    finalizers: ['x/y', 'foregroundDeletion'],
    expect: 'remove Foreground',
  },
  {
    what: 'the kind of an owner is unknown',
    owners: ['absent', 'unknown-kind', 'solid'],
    expect: 'wait',
  },
  {
    what: 'an owner cannot be named from where it is',
    owners: ['absent', 'out-of-reach'],
    expect: 'keep',
  },
  { what: 'its owner let it go', owners: ['let-go'], expect: 'release 0' },
  { what: 'one owner let it go, and one is gone', owners: ['absent', 'let-go'], expect: 'release 1' },
];

for (const { what, owners, finalizers, dependents = [], expect } of cases) {
  test(`when ${what}: ${expect}`, () => {
    const decision = decideCollection(
      finalizers === undefined ? {} : { finalizers: [...finalizers] },
      owners.map((standing, index) => ({ standing, reference: ownedBy(String(index)) })),
      dependents.map(stage => ({ stage })),
    );
    const details =
      decision.kind === 'release'
        ? ` ${[...decision.uids].join()}`
        : decision.kind === 'remove'
          ? ` ${decision.propagation}${decision.unblocks ? ', unblocked' : ''}`
          : '';
    assert.equal(decision.kind + details, expect);
  });
}
