import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseComposeFile, readComposeFile } from './compose-file.ts';
import { parseSeconds, runArguments } from './run-arguments.ts';

const directory = resolve(import.meta.dirname, '../..');
const file = readComposeFile(join(directory, 'docker-compose.yml'), { BINNACLE_PORT: '7443' }, 'full');
const place = { project: 'p', directory, number: 2 };

function listArguments(service: string): string[] {
  const found = file.services[service];
  assert.ok(found, service);
  return runArguments(found, { ...place, service });
}

/** Whether the words stand next to each other. */
function holds(args: readonly string[], ...words: string[]): boolean {
  return args.some((_, at) => words.every((word, index) => args[at + index] === word));
}

test('an unknown key of the compose file is an error', () => {
  assert.ok(Object.keys(file.services).length > 10);
  assert.throws(
    () => parseComposeFile('services: {a: {image: b, privileged: true}}', {}, 'full'),
    /services\/a\/privileged/,
  );
  assert.throws(() => parseComposeFile('secrets: {}', {}, 'full'), /secrets/);
});

test('variables are replaced by their values or defaults, and two dollars by one', () => {
  const variable = (text: string) => `\${${text}}`;
  const { services } = parseComposeFile(
    `services: {a: {image: "${variable('A:-x')}-${variable('B:-y')}-$C", command: ["$$HOME"]}}`,
    { A: '1', C: '3' },
    'full',
  );
  assert.equal(services['a']?.image, '1-y-3');
  assert.deepEqual(services['a']?.command, ['$HOME']);
});

test('a dependency on a service of another profile is omitted if it is not required', () => {
  const { services } = parseComposeFile(
    `services:
      a: {image: x, profiles: [full], depends_on: {b: {condition: service_healthy, required: false}, c: {condition: service_healthy, required: false}}}
      b: {image: x, profiles: [ha]}
      c: {image: x, profiles: [full]}`,
    {},
    'full',
  );
  assert.deepEqual(Object.keys(services['a']?.depends_on ?? {}), ['c']);
  const ofFull = readComposeFile(join(directory, 'docker-compose.yml'), {}, 'full').services;
  assert.deepEqual(Object.keys(ofFull['load-balancer']?.depends_on ?? {}), ['gateway']);
  const ofHa = readComposeFile(join(directory, 'docker-compose.yml'), {}, 'ha').services;
  assert.deepEqual(Object.keys(ofHa['load-balancer']?.depends_on ?? {}), ['gateway-ha']);
});

test('profiles that are started by hand have services of their own, and several can be named', () => {
  const variables = { BINNACLE_PORT: '7443' };
  const { services } = readComposeFile(join(directory, 'docker-compose.yml'), variables, 'tools,backup');
  assert.deepEqual(Object.keys(services).toSorted(), ['backup', 'binnaclectl', 'names-convert', 'restore']);
  const found = services['backup'];
  assert.ok(found);
  const args = runArguments(found, { ...place, service: 'backup' });
  assert.ok(holds(args, '--volume', 'p_backups:/var/backups/binnacle'));
  assert.ok(holds(args, '--directory=/var/backups/binnacle', '--every=6h', '--keep=56'));
});

test('a profile selects services', () => {
  const minimal = readComposeFile(join(directory, 'docker-compose.yml'), {}, 'minimal');
  assert.equal(minimal.services['prometheus'], undefined);
  assert.ok(file.services['prometheus']);
  assert.ok(minimal.services['gateway']);
});

test('a gateway runs with all settings of the file', () => {
  const args = listArguments('gateway');
  assert.ok(holds(args, '--name', 'p-gateway-2'));
  assert.ok(holds(args, '--read-only', '--read-only-tmpfs=false'));
  assert.ok(holds(args, '--cap-drop', 'ALL'));
  assert.ok(holds(args, '--security-opt', 'no-new-privileges:true'));
  assert.ok(holds(args, '--memory', '2g'));
  assert.ok(holds(args, '--cpus', '2'));
  assert.ok(holds(args, '--pids-limit', '128'));
  assert.ok(holds(args, '--ulimit', 'nofile=10240:10240'));
  assert.ok(holds(args, '--stop-timeout', '40'));
  assert.ok(holds(args, '--network', 'p_front:alias=gateway,alias=gateways'));
  assert.ok(holds(args, '--network', 'p_services:alias=gateway'));
  assert.ok(holds(args, '--volume', 'p_feed-keys:/etc/binnacle/feed:ro'));
  assert.ok(args.indexOf('binnacle/gateway') < args.indexOf('--secure-port=6443'));
});

test('ports, files and programs are found', () => {
  const balancer = listArguments('load-balancer');
  assert.ok(holds(balancer, '--publish', '127.0.0.1:7443:6443'));
  const configuration = join(directory, 'deploy/compose/haproxy.cfg');
  assert.ok(holds(balancer, '--volume', `${configuration}:/usr/local/etc/haproxy/haproxy.cfg:ro`));
  assert.ok(holds(listArguments('kafka'), '--entrypoint', '["/bin/sh","-ec"]'));
  assert.ok(holds(listArguments('redis'), '--user', '1000:1000'));
  assert.ok(holds(listArguments('pki'), '--network', 'none'));
});

for (const [text, seconds] of [
  ['10s', 10],
  ['1m30s', 90],
  ['500ms', 0.5],
  ['1h', 3600],
] as const)
  test(`${text} is ${seconds} seconds`, () => assert.equal(parseSeconds(text), seconds));

test('an invalid duration is refused', () => {
  for (const text of ['', '10', 's', '10 s', '-1s'])
    assert.throws(() => parseSeconds(text), /is not a duration/);
});
