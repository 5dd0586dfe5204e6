import { decodeStored } from '@binnacle/codecs';
import type { CacheQuery } from '../contract/contract.ts';
import type { FeedChange } from '../contract/feed.ts';
import { labelText } from './recording-sink.ts';

interface ModelObject {
  readonly path: string;
  readonly labels: Record<string, string>;
  readonly revision: number;
}

/** Reference model of the events that watchers must receive, computed from all written changes. */
export class StreamModel {
  readonly #history: readonly FeedChange[];

  constructor(history: readonly FeedChange[]) {
    this.#history = history;
  }

  /** Returns the events of a query after one revision up to another, in the form of `RecordingSink.detailedEvents`. */
  events(query: CacheQuery, after: number, upTo: number): string[] {
    const texts: string[] = [];
    for (const change of this.#history) {
      if (change.revision <= after || change.revision > upTo) continue;
      const before = objectFrom(change, change.previousValue);
      const now = objectFrom(change, change.value);
      const was = before !== undefined && matches(query, before);
      const is = now !== undefined && matches(query, now);
      if (is && now !== undefined) texts.push(text(was ? 'MODIFIED' : 'ADDED', now));
      else if (was && before !== undefined) texts.push(text('DELETED', before));
    }
    return texts;
  }

  /** Returns the objects of a query at a revision as ADDED events, in key order. */
  initial(query: CacheQuery, revision: number): string[] {
    const objects = new Map<string, ModelObject>();
    for (const change of this.#history) {
      if (change.revision > revision) break;
      const object = objectFrom(change, change.value);
      if (object === undefined) objects.delete(change.key);
      else objects.set(change.key, object);
    }
    const keys = [...objects.keys()].sort();
    return keys.flatMap(key => {
      const object = objects.get(key);
      return object !== undefined && matches(query, object) ? [text('ADDED', object)] : [];
    });
  }
}

function objectFrom(change: FeedChange, value: Uint8Array): ModelObject | undefined {
  if (value.length === 0) return undefined;
  const [, , , namespace, name] = change.key.split('/');
  return { path: `${namespace}/${name}`, labels: labelsIn(value), revision: change.revision };
}

/** Parsed labels of objects, cached because every query reads the whole history. */
const read = new WeakMap<Uint8Array, Record<string, string>>();

function labelsIn(value: Uint8Array): Record<string, string> {
  const known = read.get(value);
  if (known !== undefined) return known;
  const { labels = {} } = decodeStored(value, 0).metadata;
  read.set(value, labels);
  return labels;
}

function matches(
  { namespace, labelSelector, fieldSelector }: CacheQuery,
  { path, labels }: ModelObject,
): boolean {
  const [itsNamespace = '', itsName = ''] = path.split('/');
  if (namespace !== undefined && namespace !== itsNamespace) return false;
  if (labelSelector !== undefined && !labelSelector.matches(labels)) return false;
  const fields = { 'metadata.name': itsName, 'metadata.namespace': itsNamespace };
  return fieldSelector === undefined || fieldSelector.matches(fields);
}

function text(type: string, { path, labels, revision }: ModelObject): string {
  return `${type} ${path}@${revision} ${labelText(labels)}`;
}
