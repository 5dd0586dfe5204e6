import type { ClientTls } from '@binnacle/backend-access';
import type { EtcdAccess } from './access-report.ts';
import type { BatchLimits } from './batch.ts';
import type { MemberState } from './member-probes.ts';
import type { EtcdUser } from './member-token.ts';

/** Addresses and settings of etcd. */
export interface EtcdOptions {
  /** `http://host:port` or `https://host:port` of each member. */
  readonly endpoints: readonly string[];
  /** The prefix of every key: `/binnacle`. */
  readonly prefix: string;
  /** The limits of a request to etcd; default: etcd's own defaults. */
  readonly batchLimits?: BatchLimits;
  /** Enables TLS with verified host names; etcd may take the name in the client certificate for the user. */
  readonly tls?: ClientTls;
  /** Adds a listener for changes of the properties of `tls`; absent: they do not change. */
  readonly onTlsChange?: (listener: () => void) => void;
  /** User for authentication by password; default: the user of the client certificate, if there is one. */
  readonly user?: EtcdUser;
  /** Called when etcd begins and stops refusing this service. */
  readonly onAccess?: (access: EtcdAccess) => void;
  /** Called about once a second with the state of each member, by endpoint; without it a single member is not probed. */
  readonly onMembers?: (states: ReadonlyMap<string, MemberState>) => void;
  /** Milliseconds that one request may take, whatever the call's deadline; default 5000. */
  readonly requestTimeoutMs?: number;
  /** Called for each request that etcd refuses because it has no space left. */
  readonly onNoSpace?: () => void;
  /** Called when etcd stops answering, and when it answers again. */
  readonly onSilence?: (isSilent: boolean) => void;
}
