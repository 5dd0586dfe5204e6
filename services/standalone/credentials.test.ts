import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localUrl } from './credentials.ts';

for (const [bindAddress, url] of [
  ['127.0.0.1', 'https://127.0.0.1:6443'],
  ['0.0.0.0', 'https://127.0.0.1:6443'],
  ['::', 'https://[::1]:6443'],
  ['fd00::7', 'https://[fd00::7]:6443'],
  ['api.example.com', 'https://api.example.com:6443'],
] as const)
  test(`the URL of a server at ${bindAddress} is ${url}`, () => {
    assert.equal(localUrl(bindAddress, 6443), url);
  });
