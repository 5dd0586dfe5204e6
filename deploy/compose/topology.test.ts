import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pkiPaths } from '@binnacle/tls';
import { planPorts } from './ports.ts';
import { mostGateways, planInstances } from './service-instances.ts';
import { createArguments, gatewayAddresses } from './topology.ts';

const firstPort = 6443;
const pki = pkiPaths('/nowhere');

test('a form has two gateways by default, or as many as requested', async () => {
  for (const [asked, expected] of [
    [undefined, 2],
    [1, 1],
    [4, 4],
    [mostGateways, mostGateways],
  ] as const) {
    const ports = await planPorts(firstPort, { members: 1 }, planInstances(asked));
    const addresses = Array.from({ length: expected }, (_, i) => `https://127.0.0.1:${firstPort + i}`);
    assert.deepEqual(gatewayAddresses(ports), addresses);
    assert.equal(ports.balancer, firstPort + expected);
    const all = [...ports.services.values(), ...ports.operations.values(), ports.balancer, ports.redis];
    assert.equal(new Set(all).size, all.length);
  }
});

test('the controllers use every gateway, and the gateway without TLS last', async () => {
  const instances = planInstances(4);
  const ports = await planPorts(firstPort, { members: 1 }, instances);
  const controller = instances.all.find(({ service }) => service === 'controller-manager');
  assert.ok(controller);
  const flags = createArguments(controller, {
    ports,
    pki,
    controllerConfiguration: '/nowhere/controllers.conf',
  });
  assert.ok(flags.includes(`--servers=${gatewayAddresses(ports).join(',')}`), flags.join(' '));
  assert.equal(instances.plainGateway.name, 'gateway-5');
  assert.ok(
    createArguments(instances.plainGateway, { ports, pki, controllerConfiguration: '' }).includes(
      '--tls=false',
    ),
  );
});

test('an impossible number of gateways is refused', () => {
  for (const gateways of [0, -1, 1.5, Number.NaN, mostGateways + 1])
    assert.throws(() => planInstances(gateways), /a form has 1 to 8 gateways/);
});
