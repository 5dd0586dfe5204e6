import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as names from './names.ts';
import * as network from './network-names.ts';

const long = 'a'.repeat(64);
const rules: { rule: names.NameRule; fine: string[]; wrong: string[] }[] = [
  {
    rule: names.validateDnsLabel,
    fine: ['a', '0-9', 'a'.repeat(63)],
    wrong: ['', 'A', '-a', 'a-', 'a.b', long, 'a\n'],
  },
  { rule: names.validateDns1035Label, fine: ['web', 'a-1'], wrong: ['1a', 'a_b', ''] },
  {
    rule: names.validateDnsSubdomain,
    fine: ['a.b-c.d', 'x'],
    wrong: ['a..b', '.a', 'a.', 'a_b', 'a'.repeat(254)],
  },
  {
    rule: names.validateWildcardDnsSubdomain,
    fine: ['*.example.com'],
    wrong: ['*', '*.*.com', 'example.com', '*a.com'],
  },
  {
    rule: names.validateQualifiedName,
    fine: ['a', 'A_b.c', 'example.com/Name'],
    wrong: ['', '/a', 'a/', 'a/b/c', 'Ex.com/a', long],
  },
  { rule: names.validateLabelValue, fine: ['', 'A.b_c-1'], wrong: ['-a', 'a ', 'ä', long] },
  {
    rule: names.validateConfigMapKey,
    fine: ['a.b', '.hidden', 'A_B'],
    wrong: ['', '.', '..', '..a', 'a/b', 'a'.repeat(254)],
  },
  { rule: names.validatePathSegmentName, fine: ['system:admin', 'A b'], wrong: ['.', '..', 'a/b', 'a%2f'] },
  { rule: names.validateFullyQualifiedName, fine: ['hook.example.com'], wrong: ['', 'example.com', 'A.b.c'] },
  {
    rule: names.validateFullyQualifiedDomainName,
    fine: ['example.com', 'example.com.'],
    wrong: ['com', '.com', '*.a.com'],
  },
  {
    rule: names.validateDomainPrefixedPath,
    fine: ['example.com/a/b'],
    wrong: ['example.com', 'example.com/', '/a', 'a.b/c?d'],
  },
  {
    rule: network.validateIpAddress,
    fine: ['10.0.0.1', '2001:db8::1', '010.0.0.1'],
    wrong: ['', '10.0.0', '256.0.0.1', 'fe80::1%eth0', '[::1]'],
  },
  {
    rule: network.validatePortName,
    fine: ['http', 'web-1'],
    wrong: ['', '80', '-a', 'a--b', 'a'.repeat(16), 'Http'],
  },
  {
    rule: network.validateSocketAddress,
    fine: ['0.0.0.0:80', '[::]:443'],
    wrong: ['', '0.0.0.0', '::1:80', '1.1.1.1:70000', 'a:80'],
  },
];

for (const { rule, fine, wrong } of rules) {
  test(`${rule.name} accepts valid names and refuses others`, () => {
    for (const value of fine) assert.deepEqual(rule(value), [], value);
    for (const value of wrong) assert.notDeepEqual(rule(value), [], value);
  });
}

test('equal IP addresses have one canonical form', () => {
  assert.equal(network.canonicalIpAddress('010.0.00.1'), '10.0.0.1');
  assert.equal(network.canonicalIpAddress('2001:DB8:0:0:0:0:0:1'), '2001:db8::1');
  assert.equal(network.canonicalIpAddress('elsewhere'), 'elsewhere');
});

test('a rule answers quickly for a very long value', () => {
  assert.ok(names.validateQualifiedName('a-'.repeat(2_000_000)).length > 0);
});
