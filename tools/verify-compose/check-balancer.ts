import assert from 'node:assert/strict';
import { pollUntil } from '@binnacle/backends';
import type { Check, CheckContext } from './checks.ts';
import { defaultLimits, podman, tryPodman } from './podman.ts';

/** Statements about the way from a client to a gateway. */
export const balancerChecks: readonly Check[] = [
  { what: 'a third gateway gets connections, and sees the addresses of clients', run: aThirdGatewayJoins },
  { what: 'a client that names another address towards a gateway is not believed', run: liarsAreRefused },
];

/** Ten requests over connections of their own, and the address that they come from. */
const tenRequests = `
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
process.removeAllListeners('warning');
const { get, Agent } = require('node:https');
const ask = () => new Promise((resolve, reject) =>
  get('https://load-balancer:6443/version', { agent: new Agent({ keepAlive: false }) }, answer => {
    answer.resume().on('end', () => resolve(answer.statusCode));
  }).on('error', reject));
Promise.all(Array.from({ length: 10 }, ask)).then(codes => {
  const [{ address }] = require('node:os').networkInterfaces().eth0;
  console.log(JSON.stringify({ codes, address }));
});`;

async function aThirdGatewayJoins({ composition }: CheckContext): Promise<string> {
  const third = await composition.runVariant('gateway', 'gateway-third', service => ({
    ...service,
    command: [...(service.command ?? []), '--access-log=all'],
  }));
  try {
    let address = '';
    let asked = 0;
    await pollUntil(
      'the third gateway to log the address of a client',
      async () => {
        const { output } = await tryPodman([
          ...['run', '--rm', '--no-healthcheck', ...defaultLimits, '--network', composition.nameOf('edge')],
          ...['--entrypoint', 'node', 'binnacle/pki', '-e', tenRequests],
        ]);
        const answer = JSON.parse(output) as { codes: number[]; address: string }; // The program prints JSON of this shape.
        assert.ok(answer.codes.every(code => code === 200));
        asked += answer.codes.length;
        address = answer.address;
        return (await tryPodman(['logs', third])).text.includes(`"client":"${address}"`);
      },
      { timeoutMs: 60_000, intervalMs: 1000 },
    );
    return `${asked} connections from addresses such as ${address}`;
  } finally {
    await tryPodman(['rm', '--force', '--time', '30', third]);
  }
}

/** A header of the PROXY protocol for 192.0.2.1, from a network that gateways do not trust. */
const header = '0d0a0d0a000d0a515549540a2111000cc0000201c0000202c350192b';

async function liarsAreRefused({ composition, directory }: CheckContext): Promise<string> {
  const text = await podman([
    ...['run', '--rm', '--no-healthcheck', ...defaultLimits, '--network', composition.nameOf('services')],
    ...['--volume', `${directory}/tools/verify-compose/ask.ts:/ask.ts:ro`],
    ...['--entrypoint', 'node', 'binnacle/pki', '/ask.ts', 'gateway', '6443', header],
  ]);
  const { why, answer } = JSON.parse(text) as { why: string; answer: string }; // ask.ts prints JSON of this shape.
  assert.notEqual(why, 'silence');
  assert.ok(answer === '' || answer.charCodeAt(0) === 21, 'only an alert of TLS may come back');
  return '';
}
