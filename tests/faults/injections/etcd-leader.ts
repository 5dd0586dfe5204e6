import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { type EtcdServer, pollUntil } from '@binnacle/backends';
import type { Distributed } from '@binnacle/compose';

/** The member of etcd that leads, and the others; waits until one does. */
export async function findEtcdLeader(
  form: Distributed,
  dataDirectory: string,
): Promise<{ readonly leader: EtcdServer; readonly others: readonly EtcdServer[] }> {
  let leader: EtcdServer | undefined;
  await pollUntil('a member of etcd to lead', async signal => {
    for (const member of form.etcdMembers) {
      if (!member.running) continue;
      const metrics = await fetchMetrics(member, dataDirectory, signal).catch(() => '');
      if (/^etcd_server_is_leader 1$/m.test(metrics)) leader = member;
    }
    return leader !== undefined;
  });
  if (leader === undefined) throw new Error('no member of etcd leads');
  return { leader, others: form.etcdMembers.filter(member => member !== leader) };
}

function fetchMetrics(member: EtcdServer, dataDirectory: string, signal: AbortSignal): Promise<string> {
  const file = (name: string) => readFileSync(join(dataDirectory, 'pki/backends/etcd/server', name));
  const tls = { ca: file('ca.crt'), cert: file('tls.crt'), key: file('tls.key') };
  return new Promise((resolve, reject) => {
    const asked = request(`${member.endpoint}/metrics`, { ...tls, agent: false, signal }, async answer => {
      let text = '';
      for await (const piece of answer.setEncoding('utf8')) text += piece;
      resolve(text);
    });
    asked.on('error', reject);
    asked.end();
  });
}
