import { type Change, type Changes, namespacePlace } from '../records/changes.ts';
import type { History } from '../records/history.ts';
import { placeKey, versionNumber } from '../records/records.ts';
import type { Violation } from '../records/violation.ts';
import { findFinalView } from './final-view.ts';

/** The versions between which a namespace did not exist after it had ended. */
interface Absence {
  readonly deletion: Change;
  /** Infinity when it was not created anew. */
  readonly until: number;
}

/** After the end of a namespace there is nothing in it, and nothing comes into it. */
export function checkNamespaces(history: History, changes: Changes): Violation[] {
  const absences = findAbsences(changes);
  if (absences.size === 0) return [];
  const violations: Violation[] = [];
  const endBefore = (namespace: string, version: number): Absence | undefined =>
    absences.get(namespace)?.find(({ deletion, until }) => deletion.version < version && version < until);
  const report = (message: string, { deletion }: Absence, record: Violation['records'][number]): void => {
    violations.push({ check: 'namespaces', message, records: [deletion.record, record] });
  };
  for (const { namespace, version, verb, key, write, record } of changes.all) {
    const absence = endBefore(namespace, version);
    if (absence === undefined) continue;
    const what = verb === 'delete' ? 'was deleted' : 'was written';
    const text = `${key} ${what} at version ${version}, after its namespace had ended at ${absence.deletion.version}`;
    report(text, absence, write ?? record);
  }
  for (const list of history.lists) {
    for (const { namespace, name } of list.items) {
      const absence = endBefore(namespace, versionNumber(list.version));
      if (absence === undefined) continue;
      const key = placeKey({ resource: list.resource, namespace, name });
      report(
        `a list shows ${key} after its namespace had ended at ${absence.deletion.version}`,
        absence,
        list,
      );
    }
  }
  for (const watcher of history.watchers.values()) {
    for (const [key, event] of findFinalView(history, watcher) ?? []) {
      const last = absences.get(event.namespace)?.at(-1);
      if (last === undefined || last.until !== Number.POSITIVE_INFINITY) continue;
      if (versionNumber(event.version) > last.deletion.version) continue; // It is reported above.
      report(`${watcher.name}: ${key} was not shown to end with its namespace`, last, event);
    }
  }
  return violations;
}

function findAbsences(changes: Changes): Map<string, Absence[]> {
  const absences = new Map<string, Absence[]>();
  for (const deletion of changes.all) {
    if (deletion.resource !== 'namespaces' || deletion.verb !== 'delete') continue;
    const own = changes.of.get(placeKey(namespacePlace(deletion.name))) ?? [];
    const next = own.find(({ version }) => version > deletion.version);
    const absence = { deletion, until: next?.version ?? Number.POSITIVE_INFINITY };
    absences.set(deletion.name, [...(absences.get(deletion.name) ?? []), absence]);
  }
  return absences;
}
