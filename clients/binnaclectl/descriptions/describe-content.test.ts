import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeContent, headingFrom } from './describe-content.ts';

// The headings are those of kubectl 1.26.
const headings: [field: string, heading: string][] = [
  ['apiVersion', 'API Version'],
  ['observedGeneration', 'Observed Generation'],
  ['uid', 'UID'],
  ['podCIDR', 'Pod CIDR'],
  ['clusterIPs', 'Cluster I Ps'],
  ['HTTPServer', 'HTTP Server'],
  ['apiUrl', 'API URL'],
  ['some-thing', 'Some - Thing'],
  ['snake_case', 'snake_case'],
  ['ipV4Address', 'ipV4Address'],
  ['f:spec', 'f:spec'],
];
for (const [field, heading] of headings)
  test(`the heading of ${field} is ${heading}`, () => assert.equal(headingFrom(field), heading));

test('fields are listed by name, each level two spaces deeper', () => {
  const text = describeContent({
    metadata: { name: 'left out', uid: 'u' },
    spec: {
      litres: 2,
      isHot: true,
      nothing: null,
      names: ['a', [1, { b: [2] }]],
      parts: [{ name: 'x', value: 1 }, { name: 'y' }],
      empty: {},
    },
  });
  assert.equal(
    text,
    [
      'Metadata:',
      '  UID:\tu',
      'Spec:',
      '  Empty:',
      '  Is Hot:\ttrue',
      '  Litres:\t2',
      '  Names:',
      '    a',
      '    [1 map[b:[2]]]',
      '  Nothing:\t<nil>',
      '  Parts:',
      '    Name:\tx',
      '    Value:\t1',
      '    Name:\ty',
      '',
    ].join('\n'),
  );
});
