import type { ClientTls } from '@binnacle/backend-access';
import type { EtcdAccess } from './access-report.ts';
import type { BatchLimits } from './batch.ts';
import type { MemberState } from './member-probes.ts';
import type { EtcdUser } from './member-token.ts';

/** Where etcd is and how to reach it. */
export interface EtcdOptions {
  /** `http://host:port` or `https://host:port` of each member. */
  readonly endpoints: readonly string[];
  /** The prefix of every key: `/binnacle`. */
  readonly prefix: string;
  /** The limits of a request to etcd; default: etcd's own defaults. */
  readonly batchLimits?: BatchLimits;
  /** Makes connections TLS, with host names verified; etcd may take the client certificate's name for the user. */
  readonly tls?: ClientTls;
  /** Authenticates with a password. Without it the user is that of the client certificate, if there is one. */
  readonly user?: EtcdUser;
  /** Told when etcd begins and ends to refuse this service. */
  readonly onAccess?: (access: EtcdAccess) => void;
  /** Told about once a second how each member is, by its endpoint; without it a single member is not asked. */
  readonly onMembers?: (states: ReadonlyMap<string, MemberState>) => void;
  /** Milliseconds that one request may take, whatever the call's deadline; default 5000. */
  readonly requestTimeoutMs?: number;
  /** Told of each request that etcd refuses because it has no space left. */
  readonly onNoSpace?: () => void;
  /** Told when etcd stops answering, and when it answers again. */
  readonly onSilence?: (isSilent: boolean) => void;
}
