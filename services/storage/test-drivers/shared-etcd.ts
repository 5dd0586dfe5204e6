import { before } from 'node:test';
import { type EtcdServer, startEtcd } from '@binnacle/backends';
import { keptUntilEnd } from '@binnacle/backends/testing';

const sharedEtcd = keptUntilEnd(() => startEtcd());

/** Gives the tests of a file the open etcd of all such files, which they do not end; each writes below prefixes of its own. */
export function useSharedEtcd(): () => EtcdServer {
  let etcd: EtcdServer | undefined;
  before(async () => {
    etcd = await sharedEtcd();
  });
  return () => {
    if (etcd === undefined) throw new Error('etcd runs while tests run');
    return etcd;
  };
}
