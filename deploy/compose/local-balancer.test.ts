import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { haproxyProgram, localBalancerText } from './local-balancer.ts';

const original = readFileSync(join(import.meta.dirname, 'haproxy.cfg'), 'utf8');
const ports = { port: 16_445, gateways: [16_443, 16_444] };

test('the local configuration is that of the container with local addresses', () => {
  const lines = original.split('\n');
  const local = localBalancerText(original, ports).split('\n');
  const added = local.filter(line => !lines.includes(line));
  assert.match(added[0] ?? '', /^ {4}bind 127\.0\.0\.1:16445$/);
  const servers = added.filter(line => /^ {4}server gateway-/.test(line));
  assert.deepEqual(
    servers.map(line => line.trim().split(' ')[2]),
    ['127.0.0.1:16443', '127.0.0.1:16444'],
  );
  const removed = lines.slice(0, lines.indexOf('frontend health')).filter(line => !local.includes(line));
  for (const line of removed) assert.match(line, /^ {4}(bind|server-template) |^# The health check of/);
  assert.equal(added.length, 3);
});

test('options of the servers are kept, and settings for name servers and the container are removed', () => {
  const text = `frontend api
    bind "\${ADDRESS}:6443"

backend gateways
    server-template gateway 8 gateway:6443 resolvers dns init-addr last,none on-error mark-down send-proxy-v2

frontend health
    bind 127.0.0.1:8404

    monitor-uri /healthz
`;
  assert.equal(
    localBalancerText(text, ports),
    `frontend api
    bind 127.0.0.1:16445

backend gateways
    server gateway-1 127.0.0.1:16443 source 127.0.0.2 on-error mark-down send-proxy-v2
    server gateway-2 127.0.0.1:16444 source 127.0.0.2 on-error mark-down send-proxy-v2

`,
  );
});

test('a configuration without the expected sections is refused', () => {
  for (const text of ['', 'bind :1', 'bind :1\nbind :2\nserver-template a 1 b:1'])
    assert.throws(() => localBalancerText(text, ports), /must have one "bind"/);
});

const skip = haproxyProgram() === undefined ? 'haproxy is not installed' : false;

test('HAProxy accepts the local configuration', { skip }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-balancer-'));
  try {
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(file, localBalancerText(original, ports));
    execFileSync(haproxyProgram() ?? '', ['-c', '-n', '400', '-f', file], { stdio: 'pipe' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
