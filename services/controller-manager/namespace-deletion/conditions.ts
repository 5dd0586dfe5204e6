import type { NamespaceCondition } from '@binnacle/api-types/core/v1';

/** The findings of one pass over a terminating namespace. */
export interface DeletionFindings {
  readonly discoveryFailures: readonly string[];
  /** Listed names that are no versions of a group. */
  readonly malformedGroupVersions: readonly string[];
  readonly deletionFailures: readonly string[];
  /** Number of remaining objects, by `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Number of objects that wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/**
 * Creates the conditions of a terminating namespace after a pass: the obstacles to its deletion, under Kubernetes' names. A condition
 * keeps the time of its last transition while its status stays the same.
 */
export function deletionConditions(
  findings: DeletionFindings,
  current: readonly NamespaceCondition[],
  now: string,
): NamespaceCondition[] {
  const { discoveryFailures, malformedGroupVersions, deletionFailures, remaining, finalizers } = findings;
  const rows: [type: string, holds: boolean, reasons: [string, string], messages: [string, string]][] = [
    [
      'NamespaceDeletionDiscoveryFailure',
      discoveryFailures.length > 0,
      ['DiscoveryFailed', 'ResourcesDiscovered'],
      [`Discovery failed: ${discoveryFailures.join('; ')}`, 'All resource types are known'],
    ],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      malformedGroupVersions.length > 0,
      ['GroupVersionParsingFailed', 'ParsedGroupVersions'],
      [`Not versions of groups: ${malformedGroupVersions.join(', ')}`, 'All group versions were read'],
    ],
    [
      'NamespaceDeletionContentFailure',
      deletionFailures.length > 0,
      ['ContentDeletionFailed', 'ContentDeleted'],
      [
        `Deletion failed: ${deletionFailures.join('; ')}`,
        'Everything that can be deleted is deleted or being deleted',
      ],
    ],
    [
      'NamespaceContentRemaining',
      remaining.size > 0,
      ['SomeResourcesRemain', 'ContentRemoved'],
      [`Objects remain: ${counts(remaining)}`, 'No object remains'],
    ],
    [
      'NamespaceFinalizersRemaining',
      finalizers.size > 0,
      ['SomeFinalizersRemain', 'ContentHasNoFinalizers'],
      [`Finalizers are still to be removed: ${counts(finalizers)}`, 'No object waits for a finalizer'],
    ],
  ];
  return rows.map(([type, holds, reasons, messages]) => {
    const status = holds ? 'True' : 'False';
    const before = current.find(condition => condition.type === type);
    const since = before?.status === status ? before.lastTransitionTime : undefined;
    return {
      type,
      status,
      reason: reasons[holds ? 0 : 1],
      message: messages[holds ? 0 : 1],
      lastTransitionTime: since ?? now,
    };
  });
}

function counts(byName: ReadonlyMap<string, number>): string {
  const entries = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, count]) => `${name} (${count})`).join(', ');
}
