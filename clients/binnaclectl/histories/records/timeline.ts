import type { History } from './history.ts';
import { type HistoryRecord, versionNumber } from './records.ts';

/** The times at which the store is known to have reached versions, from all answers to clients. */
export interface Timeline {
  /** The earliest time by which the store had reached this version, Infinity where nothing tells. */
  reachedBy(version: number): number;
  /** The record that tells it. */
  witnessOf(version: number): HistoryRecord | undefined;
}

interface Sighting {
  readonly version: number;
  readonly time: number;
  readonly record: HistoryRecord;
}

/**
 * Builds the timeline. A version that a client was shown, in an answer, an event or a bookmark, was reached by then, and with it
 * every lower one: versions are one order over all objects.
 */
export function createTimeline(history: History): Timeline {
  const sightings = [...findSightings(history)].sort((a, b) => a.version - b.version);
  // From the highest down: the earliest sighting of this version or of a higher one.
  for (let index = sightings.length - 2; index >= 0; index--) {
    const [own, above] = [sightings[index]!, sightings[index + 1]!]; // Both are within bounds.
    if (above.time < own.time) sightings[index] = { ...above, version: own.version };
  }
  const find = (version: number): Sighting | undefined => {
    let [low, high] = [0, sightings.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sightings[middle]!.version < version)
        low = middle + 1; // Within bounds.
      else high = middle;
    }
    return sightings[low];
  };
  return {
    reachedBy: version => find(version)?.time ?? Number.POSITIVE_INFINITY,
    witnessOf: version => find(version)?.record,
  };
}

function* findSightings(history: History): Iterable<Sighting> {
  for (const record of history.writes) {
    if (record.outcome === 'ok' && record.version !== undefined)
      yield { version: versionNumber(record.version), time: record.end, record };
  }
  for (const record of history.reads) {
    if (record.found) yield { version: versionNumber(record.found.version), time: record.end, record };
  }
  for (const record of history.lists)
    yield { version: versionNumber(record.version), time: record.end, record };
  for (const { segments } of history.watchers.values()) {
    for (const { messages } of segments) {
      for (const record of messages)
        yield { version: versionNumber(record.version), time: record.at, record };
    }
  }
}
