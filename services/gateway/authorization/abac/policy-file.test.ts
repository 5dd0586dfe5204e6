import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePolicyFile } from './policy-file.ts';

const line = (spec: object, more: object = {}) =>
  JSON.stringify({ apiVersion: 'abac.authorization.cluster.io/v1beta1', kind: 'Policy', ...more, spec });

const unset = {
  user: '',
  group: '',
  readonly: false,
  apiGroup: '',
  resource: '',
  namespace: '',
  nonResourcePath: '',
};

test('a file has one policy per line, and comments and empty lines are skipped', () => {
  const text = [
    '# who may do what',
    line({ user: 'bob', readonly: true, resource: 'pods', namespace: 'z' }),
    '',
    `  ${line({ group: 'ops', nonResourcePath: '/metrics' })}\r`,
    '   # the end',
  ].join('\n');
  assert.deepEqual(parsePolicyFile(text, 'p'), [
    { ...unset, user: 'bob', readonly: true, resource: 'pods', namespace: 'z' },
    { ...unset, group: 'ops', nonResourcePath: '/metrics' },
  ]);
});

test('a file without a policy allows nothing', () => {
  assert.deepEqual(parsePolicyFile('# nothing\n\n', 'p'), []);
});

test('the apiVersion of kube-apiserver is accepted as an alias', () => {
  const text = line({ user: 'bob' }, { apiVersion: 'abac.authorization.kubernetes.io/v1beta1' });
  assert.deepEqual(parsePolicyFile(text, 'p'), [{ ...unset, user: 'bob' }]);
});

const refused: [string, string, RegExp][] = [
  ['an old line without a version', '{"user":"bob"}', /lines without apiVersion and kind are not supported/],
  ['another version', line({}, { apiVersion: 'v1' }), /apiVersion must be abac\.authorization\.cluster\.io/],
  ['another kind', line({}, { kind: 'Role' }), /kind must be Policy/],
  ['an unknown property', line({ readOnly: true }), /unknown property spec\.readOnly/],
  ['an unknown property of the policy', line({}, { metadata: {} }), /unknown property metadata/],
  ['a name from the prototype', line({ constructor: 'bob' }), /unknown property spec\.constructor/],
  ['a text that is none', line({ user: 7 }), /spec\.user must be a string/],
  ['a truth that is none', line({ readonly: 'true' }), /spec\.readonly must be true or false/],
  ['a list', '[]', /the policy must be an object/],
  ['a missing spec', JSON.stringify({ ...JSON.parse(line({})), spec: undefined }), /spec must be an object/],
  ['what is no JSON', '{', /the line is not a JSON object/],
];
for (const [name, text, message] of refused) {
  test(`${name} is refused with the file and the number of the line`, () => {
    assert.throws(() => parsePolicyFile(`# first\n${text}\n`, '/etc/policies'), {
      message: new RegExp(`^policy file /etc/policies, line 2: .*${message.source}`),
    });
  });
}
