import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestedOrganizations } from './requested-organizations.ts';

/** Requests for O=group, and for O=other with O=system:masters. */
const pems = {
  group: [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIHbMIGBAgEAMB8xDjAMBgNVBAoMBWdyb3VwMQ0wCwYDVQQDDAR1c2VyMFkwEwYH',
    'KoZIzj0CAQYIKoZIzj0DAQcDQgAEd6KYE2Dy3+SrO0FYuOenmtoSfnqFpsba9qJ6',
    'EkAz3EkA2n7NlqCkFwKzfDEhUaibQoEqAtIlR6WP5TSr18Ae4aAAMAoGCCqGSM49',
    'BAMCA0kAMEYCIQC4flTkXIibGZpjSN3ZCCW5+6jFGgU+uLvMO6GSpew75QIhAN14',
    'veslMshUpilCmVlN1b+iFM82anWLBR/pPHyLrsEj',
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n'),
  masters: [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIHzMIGaAgEAMDgxDjAMBgNVBAoMBW90aGVyMRcwFQYDVQQKDA5zeXN0ZW06bWFz',
    'dGVyczENMAsGA1UEAwwEdXNlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAVw',
    '+lV7mxf7+ZTl+QOutlp4fI/Fp8FvwnM5PMWCJ2Vx1ZVh4UESp3KYWNWb8byxJlaD',
    'tyNHVi8u+eSe8yQMFpGgADAKBggqhkjOPQQDAgNIADBFAiEA4hqzrriu6RvfrkLy',
    'FW//Udd1oaA3mtNQowLJWPFcCywCICRJgEvre1mWY0JMlyPAOKZ36RVOF6sYxHSN',
    'o3DyVZBe',
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n'),
};

test('every organization of a subject is returned, in order', () => {
  assert.deepEqual(requestedOrganizations(Buffer.from(pems.group)), ['group']);
  assert.deepEqual(requestedOrganizations(Buffer.from(pems.masters)), ['other', 'system:masters']);
});

test('an organization in a two-byte encoding is decoded', () => {
  // SEQUENCE { SEQUENCE { INTEGER 0, SEQUENCE { SET { SEQUENCE { 2.5.4.10, BMPString "ab" } } } } }
  const der = Buffer.from('30163014020100300f310d300b060355040a1e0400610062', 'hex');
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  assert.deepEqual(requestedOrganizations(Buffer.from(pem)), ['ab']);
});

test('invalid requests have no organizations', () => {
  for (const text of [
    '',
    'text',
    '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n',
  ])
    assert.equal(requestedOrganizations(Buffer.from(text)), undefined);
});
