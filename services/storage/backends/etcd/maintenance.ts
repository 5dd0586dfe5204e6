import { type CallContext, millisecondsUntil } from '@binnacle/proto';
import { isStorageError } from '@binnacle/storage-contract';
import { withinCall } from '../call-limits.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import type { EtcdMembers } from './members.ts';
import type { EtcdRevision } from './revisions.ts';

/** A member of etcd as it describes itself. */
export interface MemberStatus {
  readonly endpoint: string;
  readonly version: string;
  readonly isLeader: boolean;
  /** Bytes of its database on disk, free pages included: etcd compares these with its quota. */
  readonly sizeBytes: number;
  /** Bytes of its database in use: the size after a defragmentation. */
  readonly inUseBytes: number;
  /** Alarms of the cluster, by name: `NOSPACE`. */
  readonly alarms: readonly string[];
}

/** A member that gave no status. */
interface UnknownMember {
  readonly endpoint: string;
  readonly error: unknown;
}

/** Maintenance requests to etcd. Compacting and defragmenting need a user with the role `root`, where etcd has users. */
export interface EtcdMaintenance {
  /** Reads the status of every member, in the order of the endpoints. */
  statuses(call: CallContext): Promise<readonly (MemberStatus | UnknownMember)[]>;
  /**
   * Compacts the whole history of etcd, waits until its pages are free, and returns the revision of the compaction. Readers at an
   * earlier revision must list again.
   */
  compactAll(call: CallContext): Promise<EtcdRevision>;
  /** Rebuilds the database of one member without its free pages. The member serves nothing meanwhile. */
  defragment(endpoint: string, call: CallContext): Promise<void>;
  /**
   * Disarms every alarm of missing space; returns their number. A member that is still over its quota raises it with the next
   * write.
   */
  disarm(call: CallContext): Promise<number>;
}

/** Creates the maintenance of the members at these endpoints. */
export function createMaintenance(endpoints: readonly string[], members: EtcdMembers): EtcdMaintenance {
  const readStatus = async (endpoint: string, call: CallContext): Promise<MemberStatus> => {
    const request = members.runOn(endpoint, ({ maintenance }) => maintenance.status(createCallLimits(call)));
    const { header, version, leader, dbSize, dbSizeInUse, errors } = await withinCall(request, call);
    return {
      endpoint,
      version,
      isLeader: leader === header.member_id,
      sizeBytes: Number(dbSize),
      inUseBytes: Number(dbSizeInUse),
      alarms: [...new Set(errors.flatMap(text => /alarm:\s*([A-Z]+)/.exec(text)?.[1] ?? []))],
    };
  };
  return {
    statuses: call =>
      Promise.all(
        endpoints.map(endpoint =>
          readStatus(endpoint, call).catch((error: unknown) => ({ endpoint, error })),
        ),
      ),
    async compactAll(call) {
      const range = { key: Buffer.from('\0'), count_only: true };
      const read = members.run(({ kv }) => kv.range(range, createCallLimits(call)));
      const { revision } = (await withinCall(read, call)).header;
      const compact = members.run(({ kv }) =>
        kv.compact({ revision, physical: true }, createCallLimits(call)),
      );
      await withinCall(compact, call).catch(thrown => {
        if (!isStorageError(storageErrorFromEtcd(thrown), 'compacted')) throw thrown;
      });
      return Number(revision);
    },
    async defragment(endpoint, call) {
      const request = members.runOn(endpoint, ({ maintenance }) =>
        maintenance.defragment(createCallLimits(call)),
      );
      await withinCall(request, call);
    },
    async disarm(call) {
      const alarm = (request: { readonly action: 'Get' | 'Deactivate'; readonly memberID?: string }) =>
        withinCall(
          members.run(({ maintenance }) =>
            maintenance.alarm({ ...request, alarm: 'Nospace' }, createCallLimits(call)),
          ),
          call,
        );
      const { alarms } = await alarm({ action: 'Get' });
      for (const { memberID } of alarms) await alarm({ action: 'Deactivate', memberID });
      return alarms.length;
    },
  };
}

/** Creates the limits of a call. The library takes a deadline of the wall clock, and converts it to a duration immediately. */
function createCallLimits({ deadline }: CallContext): { readonly deadline: number } {
  return { deadline: Date.now() + Math.min(millisecondsUntil(deadline), longestMs) };
}

/** A day, for calls without a deadline. */
const longestMs = 86_400_000;
