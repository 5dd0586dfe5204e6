import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { parseProxyHeader } from './parse-proxy-header.ts';

const signature = '0d0a0d0a000d0a515549540a';
const bytes = (...parts: string[]) => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');

/** 192.0.2.7:50000 to 10.0.0.1:6443. */
const tcp4 = bytes(signature, '21 11 000c', 'c0000207 0a000001 c350 192b');
/** [2001:db8::7]:50000 to [fd00::1]:6443. */
const tcp6 = bytes(
  ...[signature, '21 21 0024'],
  ...['20010db8000000000000000000000007', 'fd000000000000000000000000000001', 'c350 192b'],
);
const mapped6 = bytes(
  ...[signature, '21 21 0024'],
  ...['00000000000000000000ffffc0000207', '00000000000000000000ffff0a000001', 'c350 192b'],
);
const withExtension = bytes(signature, '21 11 0013', 'c0000207 0a000001 c350 192b', '04 0004 00000000');

const complete: readonly (readonly [what: string, header: Buffer, client: string | undefined])[] = [
  ['a client over IPv4', tcp4, '192.0.2.7'],
  ['a client over IPv6', tcp6, '2001:db8::7'],
  ['a client over IPv4 in the form of IPv6', mapped6, '192.0.2.7'],
  ['an extension', withExtension, '192.0.2.7'],
  ['a health check of the balancer', bytes(signature, '20 00 0000'), undefined],
  ['a client over a Unix socket', bytes(signature, '21 31 00d8', '00'.repeat(216)), undefined],
  ['an unknown protocol', bytes(signature, '21 00 0000'), undefined],
];
for (const [what, header, client] of complete)
  test(`the data after a header with ${what} belongs to the client`, () => {
    const expected = { kind: 'complete', length: header.length, client };
    assert.deepEqual(parseProxyHeader(header), expected);
    assert.deepEqual(parseProxyHeader(Buffer.concat([header, Buffer.from('hello')])), expected);
    for (let length = 0; length < header.length; length++)
      assert.deepEqual(
        parseProxyHeader(header.subarray(0, length)),
        { kind: 'incomplete' },
        `${length} bytes`,
      );
  });

const invalid: readonly (readonly [what: string, header: Buffer])[] = [
  ['a TLS hello', bytes('16 0301 0200 01')],
  ['version 1 of the protocol', Buffer.from('PROXY TCP4 192.0.2.7 10.0.0.1 50000 6443\r\n')],
  ['another version', bytes(signature, '31 11 000c')],
  ['another command', bytes(signature, '22 11 000c')],
  ['more bytes than any balancer sends', bytes(signature, '21 11 0401')],
  ['addresses that are cut short', bytes(signature, '21 11 0004', 'c0000207')],
];
for (const [what, header] of invalid)
  test(`${what} is refused as a header`, () => {
    assert.deepEqual(parseProxyHeader(header), { kind: 'invalid' });
  });

test('random bytes after the signature never throw, and at most 1,040 bytes are awaited', () => {
  for (let count = 0; count < 5_000; count++) {
    const input = Buffer.concat([bytes(signature), randomBytes(count % 40)]);
    const parsed = parseProxyHeader(input);
    if (parsed.kind !== 'incomplete') continue;
    const longest = Buffer.concat([input, Buffer.alloc(1_040)]);
    assert.notEqual(parseProxyHeader(longest.subarray(0, 1_040)).kind, 'incomplete');
  }
});
