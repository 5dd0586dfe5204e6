import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFault } from './request-fault.ts';

interface Case {
  readonly version: string;
  readonly headers: readonly string[];
  readonly authority?: string;
  readonly fault?: RegExp;
}
/** Those of version 2.0 come over HTTP/2. */
const cases: readonly Case[] = [
  { version: '1.1', headers: ['Host', 'a'] },
  { version: '1.1', headers: ['Accept', 'host', 'hOST', 'a.example.com:6443'] },
  { version: '1.1', headers: ['Host', ''] },
  { version: '1.1', headers: ['Host', '[::1]:6443'] },
  { version: '1.1', headers: ['Hosts', 'b', 'Host', 'a'] },
  { version: '1.1', headers: [], fault: /missing/ },
  { version: '1.1', headers: ['Accept', 'Host'], fault: /missing/ },
  { version: '1.0', headers: [] },
  { version: '0.9', headers: [], fault: /version/ },
  { version: '0.9', headers: ['Host', 'a'], fault: /version/ },
  { version: '1.1', headers: ['Host', 'a', 'Host', 'b'], fault: /too many/ },
  { version: '1.1', headers: ['Host', 'a', 'host', 'a'], fault: /too many/ },
  { version: '1.0', headers: ['Host', 'a', 'Host', 'a'], fault: /too many/ },
  { version: '1.1', headers: ['Host', 'a b'], fault: /malformed/ },
  { version: '1.1', headers: ['Host', 'a/b'], fault: /malformed/ },
  { version: '1.1', headers: ['Host', 'user@a'], fault: /malformed/ },
  { version: '2.0', headers: [], authority: 'a' },
  { version: '2.0', headers: [] },
  { version: '2.0', headers: ['host', 'a'] },
  { version: '2.0', headers: ['host', 'A'], authority: 'a' },
  { version: '2.0', headers: ['host', 'b'], authority: 'a', fault: /authority/ },
  { version: '2.0', headers: ['host', 'a', 'host', 'a'], authority: 'a', fault: /too many/ },
];
test('a request over HTTP/1.1 with another version number is faulty', () => {
  const head = { httpVersionMajor: 2, httpVersionMinor: 0, rawHeaders: ['Host', 'a'] };
  assert.match(requestFault(head) ?? '', /version/);
});

for (const { version, headers, authority, fault } of cases)
  test(`HTTP/${version} with ${headers.join()} to ${authority ?? 'no authority'} is ${fault?.source ?? 'served'}`, () => {
    const [httpVersionMajor = 0, httpVersionMinor = 0] = version.split('.').map(Number);
    const head = { httpVersionMajor, httpVersionMinor, rawHeaders: headers };
    const found = requestFault(head, httpVersionMajor === 2 ? { authority } : undefined);
    if (fault === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', fault);
  });
