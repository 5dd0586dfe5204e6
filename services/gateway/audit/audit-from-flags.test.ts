import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseFlags } from '@binnacle/flags';
import { auditFlags } from '../settings/audit-flags.ts';
import { auditFromFlags } from './audit-from-flags.ts';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-audit-'));
});
after(() => rm(directory, { recursive: true }));

async function written(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

const policy = () =>
  written('policy.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]');
const read = (...flags: string[]) => auditFromFlags(parseFlags(auditFlags, flags, {}));

test('nothing is audited without a policy, and a backend without a policy is refused', async () => {
  assert.equal(await read(), undefined);
  await assert.rejects(read('--audit-log-path=-'), /--audit-log-path needs --audit-policy-file/);
  await assert.rejects(
    read('--audit-webhook-config-file=x'),
    /--audit-webhook-config-file needs --audit-policy-file/,
  );
});

test('a policy is refused by file, rule and field', async () => {
  const broken = await written(
    'broken.yaml',
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: A}]',
  );
  await assert.rejects(read('--audit-policy-file', broken), {
    name: 'FlagError',
    message: /broken\.yaml: rules\[0\]\.level: Unsupported value: "A"/,
  });
  const twice = await written('twice.yaml', 'kind: Policy\nkind: Policy\n');
  await assert.rejects(read('--audit-policy-file', twice), /twice\.yaml: .*kind/);
  await assert.rejects(read('--audit-policy-file', join(directory, 'none')), /none: ENOENT/);
  await assert.rejects(
    read('--audit-policy-file', await written('list.yaml', '- a')),
    /does not hold an object/,
  );
});

test('the defaults are those of kube-apiserver', async () => {
  const cluster = 'clusters: [{name: k, cluster: {server: "https://h/audit"}}]';
  const configuration = await written(
    'webhook.conf',
    `apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n${cluster}\nusers: [{name: u, user: {}}]\n`,
  );
  const found = await read(
    `--audit-policy-file=${await policy()}`,
    '--audit-log-path=/var/log/audit.log',
    `--audit-webhook-config-file=${configuration}`,
  );
  const { delivery: toLog, ...log } = found?.log ?? {};
  assert.deepEqual(log, {
    path: '/var/log/audit.log',
    maxBytes: 100 * 1024 * 1024,
    maxBackups: 0,
    maxAgeMs: 0,
    compress: false,
  });
  assert.deepEqual(
    [toLog?.mode, toLog?.limits.throttle, toLog?.maxEventLength],
    ['blocking', undefined, undefined],
  );
  assert.equal(found?.webhook?.initialBackoffMs, 10_000);
  assert.deepEqual(found?.webhook?.delivery, {
    plugin: 'webhook',
    mode: 'batch',
    maxEventLength: undefined,
    limits: {
      bufferSize: 10_000,
      maxBatchSize: 400,
      maxWaitMs: 30_000,
      maxBatchLength: 10 * 1024 * 1024,
      throttle: { perSecond: 10, burst: 15 },
    },
  });
});

test('the log file has the settings of its flags, and "-" is standard output', async () => {
  const flags = [`--audit-policy-file=${await policy()}`, '--audit-log-path=-'];
  assert.equal((await read(...flags))?.log?.path, undefined);
  const found = await read(
    ...flags,
    ...['--audit-log-maxsize=5', '--audit-log-maxbackup=3', '--audit-log-maxage=2', '--audit-log-compress'],
    ...['--audit-log-mode=batch', '--audit-log-batch-max-size=7', '--audit-log-truncate-enabled'],
  );
  const { delivery, ...log } = found?.log ?? {};
  assert.deepEqual(log, {
    path: undefined,
    maxBytes: 5 * 1024 * 1024,
    maxBackups: 3,
    maxAgeMs: 2 * 24 * 3600_000,
    compress: true,
  });
  assert.deepEqual([delivery?.limits.maxBatchSize, delivery?.maxEventLength], [7, 100 * 1024]);
});

test('the format legacy is refused by name', () => {
  assert.throws(
    () => parseFlags(auditFlags, ['--audit-log-format=legacy'], {}),
    /--audit-log-format must be one of json/,
  );
});
