import { setTimeout as sleep } from 'node:timers/promises';
import { versionNumber } from '@binnacle/binnaclectl/testing';
import { StatusError } from '@binnacle/status-errors';
import type { Random } from '../../../fuzz/random.ts';
import { followCollection } from '../../resuming-watch.ts';
import { readHolds, readWrittenValue, type WrittenObject } from '../recording/written-object.ts';
import { anyDoor, type SuiteContext } from './suite-context.ts';

/** A collection that is followed. */
export interface FollowedCollection {
  readonly resource: string;
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly path: string;
}

/** A client that lists and watches as an informer does, each time through any gateway. */
export interface Watcher {
  readonly name: string;
  readonly collection: FollowedCollection;
  /** The version of the newest message. */
  readonly reached: number;
  /** The version of each object, as far as the watcher has seen, by its name. */
  readonly versions: ReadonlyMap<string, string>;
  /** Resolves when it has ended, which is after the signal of its context. */
  readonly ended: Promise<void>;
}

const retryMs = 250;

/** Starts a watcher; it follows until the signal, which is not that of the writers. */
export function startWatcher(
  name: string,
  collection: FollowedCollection,
  context: SuiteContext,
  random: Random,
): Watcher {
  const { recorder, signal } = context;
  const { resource, namespace, path } = collection;
  const place = { resource, ...(namespace === undefined ? {} : { namespace }) };
  const versions = new Map<string, string>();
  let reached = 0;
  let server = '';
  const begin = async (): Promise<string> => {
    for (;;) {
      try {
        const list = await recorder.list(anyDoor(context, random), name, place, path);
        versions.clear();
        for (const item of list.items) versions.set(item.name, item.version);
        reached = versionNumber(list.version);
        return list.version;
      } catch {
        if (signal.aborted) return '0';
        await sleep(retryMs);
      }
    }
  };
  const note = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: WrittenObject): void => {
    const { name: own = '', namespace: of = '', resourceVersion: version = '' } = object.metadata;
    if (type === 'DELETED') versions.delete(own);
    else versions.set(own, version);
    const holds = readHolds(object);
    recorder.add({
      ...{ kind: 'event', watcher: name, at: recorder.now(), event: type, namespace: of, name: own, version },
      value: readWrittenValue(object),
      ...(holds && { holds }),
    });
  };
  const ended = followCollection({
    collection: path,
    begin,
    retryMs,
    // Watches end often, so that going on is tried often.
    query: () => `&timeoutSeconds=${3 + random(20)}`,
    nextClient() {
      const door = anyDoor(context, random);
      server = door.server;
      return door.client;
    },
    observer: {
      onWatch: from =>
        recorder.add({ kind: 'watch', watcher: name, at: recorder.now(), server, ...place, from }),
      onMessage({ type, object }) {
        const { resourceVersion: version = '' } = object.metadata;
        reached = Math.max(reached, versionNumber(version));
        if (type === 'BOOKMARK')
          recorder.add({ kind: 'bookmark', watcher: name, at: recorder.now(), version });
        else note(type, object as WrittenObject); // The path determines the shape.
      },
      onEnd(error) {
        const code = codeOfEnd(error);
        recorder.add({
          kind: 'watch-end',
          watcher: name,
          at: recorder.now(),
          ...(code === undefined ? {} : { code }),
        });
      },
    },
    signal,
  });
  return {
    name,
    collection,
    get reached() {
      return reached;
    },
    versions,
    ended,
  };
}

function codeOfEnd(error: unknown): number | undefined {
  // Of a program that is wrong, or of a server that sends what is no version: no end of a connection is one of these.
  if (error instanceof RangeError || error instanceof TypeError) throw error;
  return error instanceof StatusError ? error.code : undefined;
}
