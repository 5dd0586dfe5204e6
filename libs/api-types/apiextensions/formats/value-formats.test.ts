import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatFault } from './value-formats.ts';

/** Valid and invalid texts of each format. */
const formats: Readonly<
  Record<string, { readonly fine: readonly string[]; readonly wrong: readonly string[] }>
> = {
  bsonobjectid: {
    fine: ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'],
    wrong: ['', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', 'g07f1f77bcf86cd799439011'],
  },
  byte: {
    fine: ['YQ==', 'YWI=', 'YWJj', 'YWJjZA==', '+/+/'],
    wrong: ['', 'Y', 'YQ', 'YQ=', 'YWJj=', 'YW Jj', '-_-_', 'YWJj\n'],
  },
  cidr: {
    fine: ['10.0.0.0/8', '10.1.2.3/32', '0.0.0.0/0', '10.0.0.0/08', 'fd00::/8', '::/128'],
    wrong: ['', '10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '010.0.0.0/8', 'fd00::/129', '::/-1', '/8', 'a/8'],
  },
  creditcard: {
    fine: ['4111111111111111', '4111-1111-1111-1111', 'no. 378282246310005', '5555555555554444'],
    wrong: ['', '4111111111111112', '411111111111111', '6200000000000005', 'card'],
  },
  date: {
    fine: ['2006-01-02', '2024-02-29', '0000-01-01', '9999-12-31'],
    wrong: ['', '2006-1-2', '2006-01-02T00:00:00Z', '2023-02-29', '2023-04-31', '2023-13-01', '2023-00-10'],
  },
  datetime: {
    fine: [
      '2014-12-15T19:30:20Z',
      '2014-12-15T19:30:20.000Z',
      '2014-12-15t19:30:20z',
      '2014-12-15T19:30:20.123456789123z',
      '2014-12-15t19:30:20,5+01:00',
      '2014-12-15T19:30:20-99:99',
    ],
    wrong: [
      '',
      '2014-12-15',
      '2014-12-15 19:30:20Z',
      '2014-12-15T19:30Z',
      '2014-12-15T19:30:20',
      '2014-12-15T24:00:00Z',
      '2014-12-15T19:60:00Z',
      '2014-12-15T19:30:60Z',
      '2014-02-30T19:30:20Z',
      '2014-12-15T19:30:20.Z',
      '2014-12-15T19:30:20+0100',
      'now',
    ],
  },
  duration: {
    fine: [
      '0',
      '1d',
      '2w',
      '1h30m',
      '-1.5h',
      '+4ms',
      '100000h',
      '1 day',
      '2 weeks',
      '3 days 4 hours',
      '5 Minutes',
      '22 ns',
      '7 micros',
      '1h 7x',
      ' 2wk',
    ],
    wrong: ['', ' ', '1', 'd', '1x', '1 month', '-1d', '1.5d', '1d,2h', '300y', '9223372036854775808d'],
  },
  email: {
    fine: [
      'a@b',
      'a.b+c@example.com',
      '"a b"@example.com',
      'Name <a@b.c>',
      'A. B. Name <a@b.c>',
      '"Name, B." <a@b.c>',
      'ü@exämple.com',
      'a@b (comment (within))',
      ' a@b ',
      '<a@b>',
      'group: a@b;',
    ],
    wrong: [
      '',
      'a',
      'a@',
      '@b',
      'a@b@c',
      'a b@c',
      '.a@b',
      'a.@b',
      'a..b@c',
      'a@b.',
      'a@b, c@d',
      'a@b (open',
      'Name a@b',
      'group: ;',
      'group: a@b, c@d;',
      'a@[127.0.0.1]',
    ],
  },
  hexcolor: { fine: ['#fff', 'FFF', '#A0b1C2'], wrong: ['', '#ff', '#ffff', '#ggg', '##fff'] },
  hostname: {
    fine: [
      'localhost',
      'a-b',
      'example.com',
      '888.com',
      'www.example-1.co.uk',
      'Example.COM',
      'bücher.example',
      `${'a'.repeat(63)}.com`,
    ],
    wrong: [
      '',
      '-a.com',
      'a-.com',
      'a_b.com',
      'example.com.',
      'my-host',
      'a.b',
      'a b.com',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(127)}com`,
      `${'ü'.repeat(32)}.com`,
    ],
  },
  ipv4: {
    fine: ['10.0.0.1', '255.255.255.255', '::ffff:1.2.3.4'],
    wrong: ['', '10.0.0', '256.0.0.1', '010.0.0.1', '::1', '10.0.0.1/8'],
  },
  ipv6: {
    fine: ['::', '::1', 'fd00::1:2', '::ffff:1.2.3.4'],
    wrong: ['', '1.2.3.4', 'fe80::1%eth0', ':::', '[::1]'],
  },
  isbn: {
    fine: ['0321751043', '978-0321751041'],
    wrong: ['', '0321751044', '978-0321751042', '97803217510'],
  },
  isbn10: { fine: ['0321751043', '0 8044 2957 X'], wrong: ['', '978-0321751041', '0-8044-2957-1'] },
  isbn13: { fine: ['978-0321751041', '9780321751041'], wrong: ['', '0321751043', '978032175104X'] },
  mac: {
    fine: ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '02:00:5e:10:00:00:00:01', '0123.4567.89ab'],
    wrong: ['', '0123456789ab', '01:23-45:67:89:ab', '01:23:45:67:89', '01:23:45:67:89:ab:cd', '0123.4567'],
  },
  password: { fine: ['', 'anything'], wrong: [] },
  rgbcolor: {
    fine: ['rgb(0,0,0)', 'rgb( 255 , 1,20 )'],
    wrong: ['', 'rgb(256,0,0)', 'rgb(0,0)', 'rgb(00,0,0)', 'rgba(0,0,0,0)', 'RGB(0,0,0)'],
  },
  ssn: {
    fine: ['123-45-6789', '123 45 6789', '123-45 6789'],
    wrong: ['', '123456789', '123-456789', '12-345-6789'],
  },
  uri: {
    fine: [
      'http://example.com',
      'https://user:p%20w@example.com:8443/a/b?c=d',
      'mailto:a@b',
      'urn:x:y',
      '/path/only',
      '//host',
      '*',
      'http://[::1]:80/',
      'http://[fe80::1%25eth0]/',
      'http://exämple.com/ä',
      'x://',
      'http://a/#b',
    ],
    wrong: [
      '',
      'path',
      'example.com',
      ':x',
      '1a:b',
      'http://a b/',
      'http://a/%zz',
      'http://a%20b/',
      'http://host:port/',
      'http://[::1',
      'http://u[@host/',
      'http://a{b}/',
      'http://a#b',
      '?a',
      'http://a\n',
    ],
  },
  uuid: {
    fine: ['c56a4180-65aa-42ec-a945-5fd21dec0538', 'C56A418065AA42ECA9455FD21DEC0538'],
    wrong: ['', 'c56a4180-65aa-42ec-a945-5fd21dec053', '{c56a4180-65aa-42ec-a945-5fd21dec0538}'],
  },
  uuid3: {
    fine: ['a3bb189e-8bf9-3888-9912-ace4e6543002', 'A3BB189E8BF93888C912ACE4E6543002'],
    wrong: ['', 'c56a4180-65aa-42ec-a945-5fd21dec0538'],
  },
  uuid4: {
    fine: ['c56a4180-65aa-42ec-a945-5fd21dec0538'],
    wrong: ['', 'c56a4180-65aa-42ec-c945-5fd21dec0538', 'a3bb189e-8bf9-3888-9912-ace4e6543002'],
  },
  uuid5: {
    fine: ['a6edc906-2f9f-5fb2-a373-efac406f0ef2'],
    wrong: ['', 'c56a4180-65aa-42ec-a945-5fd21dec0538', 'a6edc906-2f9f-5fb2-7373-efac406f0ef2'],
  },
};

describe('the format of a text', () => {
  for (const [format, { fine, wrong }] of Object.entries(formats))
    it(format, () => {
      assert.deepEqual(
        fine.filter(value => formatFault(format, value)),
        [],
        'refused',
      );
      assert.deepEqual(
        wrong.filter(value => !formatFault(format, value)),
        [],
        'taken',
      );
    });

  it('may be written with or without hyphens', () => {
    for (const name of ['date-time', 'datetime', 'd-a-t-e-time'])
      assert.deepEqual(
        ['2014-12-15T19:30:20Z', 'now'].map(value => formatFault(name, value)),
        [false, true],
      );
  });

  it('accepts every text if it is unknown', () => {
    for (const name of ['', 'binary', 'int32', 'constructor', 'toString', 'date_time'])
      assert.equal(formatFault(name, 'x'), false, name);
  });

  it('is checked in linear time for long texts', () => {
    const long = ['a', '1', '-', '.', 'a.', '"', '(', ' ', '1d ', '%41', 'ab:', 'A'].map(part =>
      part.repeat(200_000),
    );
    for (const format of Object.keys(formats))
      for (const text of long) assert.equal(typeof formatFault(format, text), 'boolean');
  });
});
