import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { checkObject, decodeBodyAtOnce, decodeOptions, type FieldValidation } from './decode-body.ts';
import { decodePatchAtOnce } from './decode-patch.ts';

const registry = createTypeRegistry();
const kinds = {
  ConfigMap: registry.kind('', 'v1', 'ConfigMap')!,
  Secret: registry.kind('', 'v1', 'Secret')!,
  Service: registry.kind('', 'v1', 'Service')!,
  Pod: registry.kind('', 'v1', 'Pod')!,
  Lease: registry.kind('coordination.cluster.io', 'v1', 'Lease')!,
};

type KnownKind = keyof typeof kinds;

function decode(
  kind: KnownKind,
  text: string,
  options: { mediaType?: string; fieldValidation?: FieldValidation } = {},
) {
  const { mediaType = 'application/json', fieldValidation = 'Warn' } = options;
  return decodeBodyAtOnce(Buffer.from(text), mediaType, { definition: kinds[kind], fieldValidation });
}

test('a body without kind and apiVersion has those of the target', () => {
  assert.deepEqual(decode('ConfigMap', '{"metadata":{"name":"a"},"data":{"k":"v"}}'), {
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } },
    warnings: [],
  });
});

test('a null body is an empty object', () => {
  const empty = { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} };
  assert.deepEqual(decode('ConfigMap', 'null').object, empty);
});

test('invalid UTF-8 is refused with its path', () => {
  for (const [before, after, path] of [
    ['{"metadata":{"name":"a"},"data":{"k":["ä", "', '"]}}', /data\.k\[1\]: the text is not valid UTF-8/],
    ['{"metadata":{"name":"', '"}}', /metadata\.name: the text/],
    ['{"', '":1}', /the text is not valid UTF-8/],
  ] as const) {
    const body = Buffer.concat([Buffer.from(before), Buffer.from('c328', 'hex'), Buffer.from(after)]);
    assert.throws(
      () =>
        decodeBodyAtOnce(body, 'application/json', { definition: kinds.ConfigMap, fieldValidation: 'Warn' }),
      { code: 400, message: path },
    );
  }
  assert.equal(decode('ConfigMap', '{"metadata":{"name":"\ufffd"}}').object.metadata.name, '\ufffd');
});

test('a group is accepted under its alias', () => {
  const { object } = decode(
    'Lease',
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"a"}}',
  );
  assert.equal(object.apiVersion, 'coordination.cluster.io/v1');
});

const refusals: { what: string; kind: KnownKind; text: string; message: RegExp }[] = [
  { what: 'an empty body', kind: 'ConfigMap', text: '', message: /must be of type ConfigMap.*empty/ },
  { what: 'a cut body', kind: 'ConfigMap', text: '{"metadata":', message: /must be of type ConfigMap/ },
  {
    what: 'a kind that there is not',
    kind: 'ConfigMap',
    text: '{"kind":"Foo","apiVersion":"v1"}',
    message: /there is no kind "Foo" in version "v1"/,
  },
  { what: 'an array', kind: 'ConfigMap', text: '[]', message: /must be an object/ },
  {
    what: 'another kind',
    kind: 'ConfigMap',
    text: '{"kind":"Secret"}',
    message: /Secret in version "v1" cannot be handled as a ConfigMap: the request is about ConfigMap/,
  },
  {
    what: 'another version',
    kind: 'Lease',
    text: '{"apiVersion":"v1"}',
    message: /Lease in version "v1" cannot be handled/,
  },
  {
    what: 'a number for a text',
    kind: 'ConfigMap',
    text: '{"data":{"a":1}}',
    message: /number into field ConfigMap\.data\.a of type string/,
  },
  {
    what: 'a text for a list',
    kind: 'Service',
    text: '{"spec":{"ports":"x"}}',
    message: /Service\.spec\.ports of type array/,
  },
  {
    what: 'a list for an object',
    kind: 'Service',
    text: '{"spec":[]}',
    message: /array into field Service\.spec of type object/,
  },
  {
    what: 'a fraction for an integer',
    kind: 'Service',
    text: '{"spec":{"ports":[{"port":1.5}]}}',
    message: /number 1\.5 into field Service\.spec\.ports\[0\]\.port/,
  },
  {
    what: 'an integer of more than 32 bits',
    kind: 'Service',
    text: '{"spec":{"ports":[{},{"port":2147483648}]}}',
    message: /ports\[1\]\.port of type int32/,
  },
  {
    what: 'an integer beyond 64 bits',
    kind: 'Service',
    text: '{"metadata":{"generation":9223372036854775808}}',
    message: /number 9223372036854776000 into field Service\.metadata\.generation of type int64/,
  },
  {
    what: 'a number beyond all doubles',
    kind: 'Service',
    text: '{"spec":{"unknown":[1E400]}}',
    message: /the number 1E400 is out of range/,
  },
  {
    what: 'a bool for an integer or text',
    kind: 'Service',
    text: '{"spec":{"ports":[{"targetPort":true}]}}',
    message: /targetPort of type int32 or string/,
  },
  {
    what: 'bad base64',
    kind: 'Secret',
    text: '{"data":{"a":"%"}}',
    message: /illegal base64 data at input byte 0/,
  },
  {
    what: 'a bad time',
    kind: 'ConfigMap',
    text: '{"metadata":{"creationTimestamp":"noon"}}',
    message: /creationTimestamp of type time/,
  },
  {
    what: 'a bad quantity',
    kind: 'Pod',
    text: '{"spec":{"overhead":{"cpu":"much"}}}',
    message: /spec\.overhead\.cpu of type quantity/,
  },
  { what: 'deep nesting', kind: 'ConfigMap', text: '{"a":'.repeat(10_000), message: /deeper than 512/ },
  { what: 'deep arrays', kind: 'ConfigMap', text: '['.repeat(1_000_000), message: /deeper than 512/ },
];
for (const { what, kind, text, message } of refusals) {
  test(`${what} is refused with 400`, () => {
    assert.throws(() => decode(kind, text), { code: 400, reason: 'BadRequest', message });
  });
}

test('an unknown media type is refused with 415', () => {
  assert.throws(() => decode('ConfigMap', '{}', { mediaType: 'text/plain' }), {
    code: 415,
    message: /application\/json/,
  });
});

const untidy =
  '{"metadata":{"name":"a","unk":{"x":[{"y":":"}]},"Name":"b"},"data":{"k":"1","k\\u0061":"2","ka":"3","k":"{"},"bogus":1}';

test('unknown and duplicate fields are dropped with a warning each', () => {
  const { object, warnings } = decode('ConfigMap', untidy);
  assert.deepEqual(object, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    data: { k: '{', ka: '3' },
  });
  assert.deepEqual(warnings, [
    'unknown field "metadata.unk"',
    'unknown field "metadata.Name"',
    'unknown field "bogus"',
    'duplicate field "data.ka"',
    'duplicate field "data.k"',
  ]);
});

test('fieldValidation selects whether unknown and duplicate fields are ignored or refused', () => {
  assert.deepEqual(decode('ConfigMap', untidy, { fieldValidation: 'Ignore' }).warnings, []);
  assert.throws(() => decode('ConfigMap', untidy, { fieldValidation: 'Strict' }), {
    code: 400,
    message:
      /strict decoding error: unknown field "metadata.unk", unknown field "metadata.Name", .*duplicate field "data.k"$/,
  });
});

test('duplicate fields within lists are named with their index', () => {
  const { warnings } = decode('Service', '{"spec":{"ports":[{"port":1},{"port":2,"port":3}],"selector":{}}}');
  assert.deepEqual(warnings, ['duplicate field "spec.ports[1].port"']);
});

test('nulls are absent fields, and zero values as entries of maps and lists', () => {
  const { object } = decode(
    'ConfigMap',
    '{"metadata":{"name":"a","creationTimestamp":null,"finalizers":[null]},"binaryData":null,"data":{"x":null}}',
  );
  assert.deepEqual(object, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', finalizers: [''] },
    data: { x: '' },
  });
});

for (const time of ['00Z', '00.1Z', '00.12345Z', '00.1234567Z', '00.123456', '00.123456789+01:00']) {
  test(`a micro time must have six decimals, and 2024-01-01T00:00:${time} is refused`, () => {
    const body = JSON.stringify({ spec: { renewTime: `2024-01-01T00:00:${time}` } });
    assert.throws(() => decode('Lease', body), { code: 400, message: /Lease\.spec\.renewTime of type time/ });
  });
}

test('times, quantities and base64 are decoded to their canonical form', () => {
  const pod = decode(
    'Pod',
    '{"metadata":{"creationTimestamp":"2024-01-01T02:00:00.7+02:00"},"spec":{"overhead":{"a":1,"b":"1024Mi","c":"0.5"}}}',
  ).object;
  assert.equal(pod.metadata.creationTimestamp, '2024-01-01T00:00:00Z');
  assert.deepEqual(pod['spec'], { overhead: { a: '1', b: '1Gi', c: '500m' } });
  assert.deepEqual(decode('Secret', '{"data":{"a":"YWJj\\nZA=="}}').object['data'], { a: 'YWJjZA==' });
  const lease = decode('Lease', '{"spec":{"renewTime":"2024-01-01T01:00:00.100000+01:00"}}').object;
  assert.deepEqual(lease['spec'], { renewTime: '2024-01-01T00:00:00.100000Z' });
});

for (const time of ['0001-01-01T00:00:00Z', '0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00.000000Z'])
  test(`${time}, the zero time of Go, is decoded as null`, () => {
    const conditions = [{ type: 'Ready', lastProbeTime: time }];
    const pod = decode('Pod', JSON.stringify({ status: { startTime: time, conditions } })).object;
    assert.deepEqual(pod['status'], { conditions: [{ type: 'Ready' }] });
    if (!/[.]/.test(time)) return;
    assert.deepEqual(decode('Lease', JSON.stringify({ spec: { renewTime: time } })).object['spec'], {});
  });

test('errors below a long key are shortened', () => {
  const key = 'k'.repeat(100_000);
  const members = Array.from({ length: 100 }, (_, i) => `"m${i}":1,"m${i}":1`).join();
  const total = (text: string) => decode('ConfigMap', text).warnings.join('').length;
  assert.ok(total(`{"${key}":{${members}}}`) < 1200, 'one unknown field');
  assert.ok(total(`{"a":1,"${key}":{${members}}}`) < 1200 + 100);
  assert.throws(
    () => decode('ConfigMap', `{"data":{"${key}":{${members}}}}`),
    (error: Error) => error.message.length < 2000,
  );
  const { findings } = decodePatchAtOnce(Buffer.from(`{"${key}":{${members}}}`), 'object');
  assert.ok(findings().join('').length < 1200, 'equal beginnings are one finding');
});

test('members named like prototype properties are ordinary members', () => {
  const { object, warnings } = decode(
    'ConfigMap',
    '{"__proto__":{"polluted":1},"data":{"__proto__":"x","constructor":"y"}}',
  );
  assert.deepEqual(warnings, ['unknown field "__proto__"']);
  assert.deepEqual(Object.entries(object['data'] as object), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('the result of a patch is validated like a body, and refused with 422', () => {
  const { warnings } = checkObject(kinds.ConfigMap, { metadata: { name: 'a' }, extra: 1 }, 'Warn');
  assert.deepEqual(warnings, ['unknown field "extra"']);
  for (const value of [{ kind: 'Secret' }, { data: { a: 1 } }, []]) {
    assert.throws(() => checkObject(kinds.ConfigMap, value, 'Warn'), {
      code: 422,
      reason: 'Invalid',
      message: /patch/,
    });
  }
});

test('delete options are decoded from any encoding, and an empty body has none', async () => {
  assert.deepEqual(await decodeOptions(Buffer.alloc(0), '', 'DeleteOptions'), {});
  const body = Buffer.from('{"kind":"DeleteOptions","gracePeriodSeconds":0,"preconditions":{"uid":"u"}}');
  assert.deepEqual((await decodeOptions(body, 'application/json', 'DeleteOptions'))['preconditions'], {
    uid: 'u',
  });
  await assert.rejects(() => decodeOptions(Buffer.from('{"kind":"Pod"}'), '', 'DeleteOptions'), {
    code: 400,
  });
  for (const seconds of ['"1"', '1.0', '1e1', '1E400', '9223372036854775808'])
    await assert.rejects(
      () => decodeOptions(Buffer.from(`{"gracePeriodSeconds":${seconds}}`), '', 'DeleteOptions'),
      { code: 400 },
      seconds,
    );
  const long = Buffer.from('{"gracePeriodSeconds":9007199254740993}');
  assert.deepEqual(await decodeOptions(long, '', 'DeleteOptions'), {
    gracePeriodSeconds: 9_007_199_254_740_993n,
  });
});
