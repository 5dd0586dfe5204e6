import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { groups } from '@binnacle/api-names';
import { connect } from './connect.ts';
import type { OpenWatches } from './open-watches.ts';
import type { FloodLoad } from './protocol.ts';

const retryMs = 1_000;
const halfBody = Buffer.from('{"spec":{"nonResourceAttributes":{');
const reviews = `/apis/${groups.authorization}/v1/selfsubjectaccessreviews`;

/** Floods a server until it is closed; what comes of the requests is counted by code. */
export function openFlood(load: FloodLoad): OpenWatches {
  const connection = connect(load.target, Math.max(1, load.writers));
  const lists = connect(load.target, Math.max(1, load.lists));
  const failures: Record<string, number> = {};
  const latencies: number[] = [];
  const held: IncomingMessage[] = [];
  let isOpen = true;
  const count = (code: number) => {
    if (code >= 300) failures[code] = (failures[code] ?? 0) + 1;
  };
  const repeat = async (request: (round: number) => Promise<boolean>) => {
    await delay(retryMs * Math.random());
    for (let round = 0; isOpen; round++) {
      const goesOn = await request(round).catch(() => false);
      if (!goesOn) await delay(retryMs);
    }
  };
  const write = (writer: number) => async (round: number) => {
    const path = `${load.collection}/object-${(writer * 7919 + round) % load.objects}`;
    const body = Buffer.from(JSON.stringify({ data: { run: 'flood', number: String(round) } }));
    const sentAt = performance.now();
    const response = await connection.request({
      method: 'PATCH',
      path,
      type: 'application/merge-patch+json',
      body,
    });
    for await (const _ of response);
    latencies.push(performance.now() - sentAt);
    count(response.statusCode ?? 0);
    return response.statusCode !== 429;
  };
  const list = async () => {
    const response = await lists.request({ method: 'GET', path: load.collection });
    count(response.statusCode ?? 0);
    response.on('error', () => {});
    if (response.statusCode === 200) {
      response.socket.pause();
      held.push(response);
      await new Promise(resolve => response.on('close', resolve));
    } else for await (const _ of response);
    return false;
  };
  const halfSend = async () => {
    const response = await connection.request({
      method: 'POST',
      path: reviews,
      body: halfBody,
      length: halfBody.length * 2,
      own: true,
    });
    count(response.statusCode ?? 0);
    response.destroy();
    return false;
  };
  for (let i = 0; i < load.writers; i++) void repeat(write(i));
  for (let i = 0; i < load.lists; i++) void repeat(list);
  for (let i = 0; i < load.bodies; i++) void repeat(halfSend);
  return {
    close() {
      isOpen = false;
      for (const response of held) response.destroy();
      connection.close();
      lists.close();
      return { latencies, bytes: 0, failures };
    },
  };
}
