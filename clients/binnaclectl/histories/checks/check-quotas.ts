import { type Change, type Changes, mayFollow, namespacePlace } from '../records/changes.ts';
import type { History } from '../records/history.ts';
import { placeKey, type QuotaRecord, versionNumber } from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';

/** While a quota is in force, nothing is created beyond it. Objects that may have been deleted unseen are not counted. */
export function checkQuotas(history: History, changes: Changes, timeline: Timeline): Violation[] {
  return history.quotas.flatMap(quota => {
    const later = history.quotas.find(
      other => isOfSame(other, quota) && versionNumber(other.version) > versionNumber(quota.version),
    );
    const until = later ? versionNumber(later.version) : Number.POSITIVE_INFINITY;
    return [
      ...checkCreations({ quota, until, history, changes, timeline }),
      ...checkLists(quota, until, history),
    ];
  });
}

function isOfSame(a: QuotaRecord, b: QuotaRecord): boolean {
  return a.namespace === b.namespace && a.resource === b.resource;
}

interface QuotaCheck {
  readonly quota: QuotaRecord;
  /** The version of the quota that replaces this one. */
  readonly until: number;
  readonly history: History;
  readonly changes: Changes;
  readonly timeline: Timeline;
}

function* checkCreations({ quota, until, history, changes, timeline }: QuotaCheck): Iterable<Violation> {
  const from = versionNumber(quota.version);
  const live = new Map<string, Change>();
  const ends = history.writesOf.get(placeKey(namespacePlace(quota.namespace))) ?? [];
  for (const change of changes.all) {
    if (change.resource !== quota.resource || change.namespace !== quota.namespace) continue;
    const isNew = !live.has(change.key) && change.verb !== 'delete';
    if (change.verb === 'delete') live.delete(change.key);
    else live.set(change.key, change);
    if (!isNew || change.version <= from || change.version >= until) continue;
    const time = timeline.reachedBy(change.version);
    const isCertain = ([key, last]: [string, Change]) =>
      ![...(changes.open.get(key) ?? []), ...ends].some(
        write =>
          write.verb === 'delete' &&
          write.outcome !== 'refused' &&
          write.start <= time &&
          mayFollow(write, last),
      );
    if (live.size <= quota.hard) continue;
    const count = [...live].filter(isCertain).length;
    if (count <= quota.hard) continue;
    const message = `${change.key}, at version ${change.version}, is one of ${count} where a quota allows ${quota.hard}`;
    yield { check: 'quotas', message, records: [quota, change.write ?? change.record] };
  }
}

function* checkLists(quota: QuotaRecord, until: number, { lists }: History): Iterable<Violation> {
  for (const list of lists) {
    const version = versionNumber(list.version);
    if (list.resource !== quota.resource || version < versionNumber(quota.version) || version >= until)
      continue;
    const count = list.items.filter(({ namespace }) => namespace === quota.namespace).length;
    if (count <= quota.hard) continue;
    const message = `a list at version ${version} has ${count} ${quota.resource} in ${quota.namespace} where a quota allows ${quota.hard}`;
    yield { check: 'quotas', message, records: [quota, list] };
  }
}
