import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { bundledProgram, currentBundles, type ServiceName } from '@binnacle/compose/testing';
import { feed, type LockedKafka, newFeedKey, startLockedKafka } from '../watch-cache/locked-kafka.ts';

let kafka: LockedKafka;
const children = new Set<ChildProcess>();

before(async () => {
  kafka = await startLockedKafka();
  for (const [name, content] of Object.entries({
    'storage-password': 'storage-password\n',
    'gateway-password': 'gateway-password\n',
    'wrong-password': 'wrong\n',
    'feed-keys': newFeedKey(),
    'other-feed-keys': newFeedKey(),
  }))
    await writeFile(join(kafka.directory, name), content);
});
after(async () => {
  for (const child of children) await stop(child);
  await kafka?.[Symbol.asyncDispose]();
});

async function stop(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

interface Service extends AsyncDisposable {
  readonly operations: string;
  readonly port: number;
  /** The log so far. */
  log(): string;
}

/** Starts a service as a process, its files in the directory of the locked Kafka. */
async function start(name: ServiceName, flags: Record<string, string>): Promise<Service> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const all = {
    [name === 'gateway' ? 'secure-port' : 'port']: String(port),
    'operations-port': String(operationsPort),
    insecure: 'true',
    'change-feed': 'kafka',
    'kafka-brokers': kafka.createConnection('any').brokers.join(','),
    'kafka-topic': feed,
    'kafka-ca-file': kafka.tls.caFile,
    ...flags,
  };
  const argv = Object.entries(all).map(([flag, value]) => `--${flag}=${value}`);
  const program = bundledProgram(await currentBundles(), name);
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let log = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', chunk => {
      log += String(chunk);
    });
  return {
    port,
    operations: `http://127.0.0.1:${operationsPort}`,
    log: () => log,
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** Flags that connect as a user with the password from a file. */
const userFlags = (user: string, password: string, keys = 'feed-keys') => ({
  'kafka-sasl-username': user,
  'kafka-sasl-password-file': join(kafka.directory, password),
  'feed-key-file': join(kafka.directory, keys),
});

const storageFlags = (flags: Record<string, string>, data = 'data') => ({
  backend: 'embedded',
  'data-dir': join(kafka.directory, data),
  ...flags,
});
const admissionFlags = (flags: Record<string, string>, storage = 1) => ({
  'storage-addresses': `127.0.0.1:${storage}`,
  ...flags,
});
const gatewayFlags = (flags: Record<string, string>, storage = 1) => ({
  tls: 'false',
  'storage-addresses': `127.0.0.1:${storage}`,
  'admission-addresses': '127.0.0.1:1',
  'token-review-addresses': '127.0.0.1:1',
  ...flags,
});

/** The line about a check in `/readyz`. */
async function checkLine({ operations }: Service, check: string): Promise<string | undefined> {
  const text = await (await fetch(`${operations}/readyz?verbose`)).text();
  return text.split('\n').find(line => line.slice(3).startsWith(`${check} `));
}

const untilSays = (service: Service, check: string, says: string) =>
  pollUntil(`${check}: ${says}`, async () => (await checkLine(service, check))?.endsWith(says) ?? false);

test('services with a wrong password for Kafka report that in readyz and once in the log', async () => {
  await using storage = await start('storage', storageFlags(userFlags('storage', 'wrong-password')));
  await using admission = await start('admission', admissionFlags(userFlags('gateway', 'wrong-password')));
  await using gateway = await start('gateway', gatewayFlags(userFlags('gateway', 'wrong-password')));
  const says = 'failed: kafka refuses the credentials of this service';
  await untilSays(storage, 'publisher', says);
  await untilSays(admission, 'change-feed', says);
  await untilSays(gateway, 'change-feed', says);
  for (const service of [storage, admission, gateway]) {
    const { status } = await fetch(`${service.operations}/readyz`);
    assert.equal(status, 500);
    assert.equal(service.log().split('kafka refuses this service, retrying').length, 2, service.log());
  }
});

test('services with the right passwords and keys are accepted, and a reader with another key reports that', async () => {
  await using storage = await start(
    'storage',
    storageFlags(userFlags('storage', 'storage-password'), 'good'),
  );
  await untilSays(storage, 'publisher', 'ok');
  await pollUntil('the storage port', async () => (await fetch(`${storage.operations}/readyz`)).ok);
  const good = userFlags('gateway', 'gateway-password');
  await using gateway = await start('gateway', gatewayFlags(good, storage.port));
  await using admission = await start('admission', admissionFlags(good, storage.port));
  for (const service of [gateway, admission]) {
    await untilSays(service, 'change-feed', 'ok');
    await untilSays(service, 'informer-sync', 'ok');
  }
  const other = userFlags('gateway', 'gateway-password', 'other-feed-keys');
  await using stranger = await start('admission', admissionFlags(other, storage.port));
  await untilSays(
    stranger,
    'change-feed',
    'failed: kafka record cannot be opened with the keys of this service',
  );
  const metrics = await (await fetch(`${stranger.operations}/metrics`)).text();
  assert.match(metrics, /^binnacle_change_feed_refused_records_total\{reason="unknown-key".*\} [1-9]/m);
  assert.equal(await checkLine(gateway, 'change-feed'), '[+]change-feed ok');
});
