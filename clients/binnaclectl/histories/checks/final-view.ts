import type { History, Watcher } from '../records/history.ts';
import { type EventRecord, placeKey, versionNumber } from '../records/records.ts';

/**
 * The objects that a watcher saw come and not go, by their keys, with the last event of each; undefined for a watcher that
 * did not follow its collection until the history had settled.
 */
export function findFinalView(history: History, watcher: Watcher): Map<string, EventRecord> | undefined {
  const { settledAt } = history;
  const last = watcher.segments.at(-1);
  if (settledAt === undefined || last === undefined || (last.end?.at ?? settledAt) < settledAt)
    return undefined;
  const view = new Map<string, EventRecord>();
  let reached: number | undefined;
  for (const { watch, messages } of watcher.segments) {
    const from = versionNumber(watch.from);
    // Between two watches a list may have told the client of deletions.
    if (from !== reached) view.clear();
    reached = messages.reduce((most, { version }) => Math.max(most, versionNumber(version)), from);
    for (const message of messages) {
      if (message.kind === 'bookmark') continue;
      const key = placeKey({ ...message, resource: watcher.resource });
      if (message.event === 'DELETED') view.delete(key);
      else view.set(key, message);
    }
  }
  return view;
}
