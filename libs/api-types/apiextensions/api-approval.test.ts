import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { approvalCondition, approvalErrors } from './api-approval.ts';

const url = 'https://example.com/pull/1';

function definition(group: string, annotations?: Record<string, string>): ApiObject {
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}`, ...(annotations && { annotations }) },
    spec: { group },
  };
}

const cluster = 'api-approved.cluster.io';
const kubernetes = 'api-approved.kubernetes.io';
const field = (name: string) => `metadata.annotations[${name}]`;

interface Case {
  readonly group: string;
  readonly annotations?: Record<string, string>;
  readonly finding?: string;
  /** Expected status and reason. */
  readonly condition?: string;
}

const cases: readonly Case[] = [
  { group: 'example.com' },
  { group: 'example.com', annotations: { [cluster]: 'bad' } },
  { group: 'mycluster.io' },
  { group: 'sea.cluster.io', finding: `Required ${field(cluster)}`, condition: 'False MissingAnnotation' },
  { group: 'cluster.io', finding: `Required ${field(cluster)}`, condition: 'False MissingAnnotation' },
  { group: 'sea.k8s.io', finding: `Required ${field(kubernetes)}`, condition: 'False MissingAnnotation' },
  { group: 'kubernetes.io', finding: `Required ${field(kubernetes)}`, condition: 'False MissingAnnotation' },
  {
    group: 'a.b.kubernetes.io',
    annotations: { [kubernetes]: '' },
    finding: `Required ${field(kubernetes)}`,
    condition: 'False MissingAnnotation',
  },
  {
    group: 'sea.cluster.io',
    annotations: { [cluster]: 'yes' },
    finding: `Invalid ${field(cluster)}`,
    condition: 'False InvalidAnnotation',
  },
  {
    group: 'sea.k8s.io',
    annotations: { [kubernetes]: 'urn:nowhere' },
    finding: `Invalid ${field(kubernetes)}`,
    condition: 'False InvalidAnnotation',
  },
  { group: 'sea.k8s.io', annotations: { [kubernetes]: url }, condition: 'True ApprovedAnnotation' },
  { group: 'sea.k8s.io', annotations: { [cluster]: url }, condition: 'True ApprovedAnnotation' },
  { group: 'sea.cluster.io', annotations: { [kubernetes]: url }, condition: 'True ApprovedAnnotation' },
  {
    group: 'sea.cluster.io',
    annotations: { [cluster]: 'unapproved, an experiment' },
    condition: 'False UnapprovedAnnotation',
  },
];
for (const { group, annotations, finding, condition } of cases)
  test(`${group} with ${JSON.stringify(annotations ?? 'nothing')}: ${finding ?? condition ?? 'not protected'}`, () => {
    const object = definition(group, annotations);
    assert.deepEqual(
      approvalErrors(object).map(error => `${error.type} ${error.field}`),
      finding === undefined ? [] : [finding],
    );
    const found = approvalCondition(object);
    assert.equal(found && `${found.status} ${found.reason}`, condition);
  });

test('an update is refused only when it changes the approval state', () => {
  const states = [undefined, { [kubernetes]: 'bad' }, { [kubernetes]: 'unapproved' }, { [kubernetes]: url }];
  const findings = states.map(before =>
    states.map(
      after => approvalErrors(definition('sea.k8s.io', after), definition('sea.k8s.io', before)).length,
    ),
  );
  assert.deepEqual(findings, [
    [0, 1, 0, 0],
    [1, 0, 0, 0],
    [1, 1, 0, 0],
    [1, 1, 0, 0],
  ]);
});
