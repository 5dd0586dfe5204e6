import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate } from '../../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../../test-drivers/process.ts';

describe('a pod template', () => {
  it('has the defaults of pods and a generation', () => {
    const { object, findings } = create('podtemplates', {
      template: podTemplate({ volumes: [{ name: 'v' }] }),
    });
    assert.deepEqual(findings, []);
    const { spec } = object['template'] as { spec: Record<string, unknown> };
    assert.deepEqual([spec['restartPolicy'], spec['volumes']], ['Always', [{ name: 'v', emptyDir: {} }]]);
    assert.equal(object.metadata.generation, 1);
    const template = podTemplate({ hostname: 'h' });
    assert.equal(update('podtemplates', { template }, { old: object }).object.metadata.generation, 2);
  });

  it('is validated like a pod', () =>
    assert.deepEqual(
      create('podtemplates', {
        template: podTemplate(
          { hostname: 'H', ephemeralContainers: [{ name: 'e', image: 'i:1' }] },
          { 'a b': '' },
        ),
      }).findings,
      [
        'Invalid template.labels',
        'Invalid template.spec.hostname',
        'Forbidden template.spec.ephemeralContainers',
      ],
    ));

  it('is printed with its containers and labels', () => {
    const { object } = create('podtemplates', { template: podTemplate() });
    assert.deepEqual(findDefinition('podtemplates').rules.cells?.(object, 0), ['a', 'c', 'i:1', 'app=x']);
  });
});
