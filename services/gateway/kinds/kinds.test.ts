import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry, type ResourceDefinition, type SubresourceDefinition } from '@binnacle/api-types';
import { scaleVerbs } from '../subresources/scale.ts';
import { findKindBehavior } from './find-kind.ts';
import { kinds } from './kinds.ts';

const registry = createTypeRegistry({ everyVersion: true });
const keyFromDefinition = ({ group, resource }: ResourceDefinition) => `${group}/${resource}`;

/** The verbs with which a subresource is another way to the object. */
const verbsOfStatus = ['get', 'patch', 'update'];

test('the table names existing resources, with declared subresources and verbs', () => {
  const declared = new Map(registry.resources.map(definition => [keyFromDefinition(definition), definition]));
  for (const [key, { verbs = {}, subresources = {}, proxyTarget }] of Object.entries(kinds)) {
    const definition = declared.get(key);
    assert.ok(definition, `${key} is no resource`);
    for (const verb of Object.keys(verbs))
      assert.ok(
        definition.verbs.some(one => one === verb),
        `${key} does not declare ${verb}`,
      );
    for (const [name, served] of Object.entries(subresources)) {
      const subresource = definition.subresources.get(name);
      assert.ok(subresource, `${key} does not declare ${name}`);
      for (const verb of Object.keys(served))
        assert.ok(
          subresource.verbs.some(one => one === verb),
          `${key}/${name} does not declare ${verb}`,
        );
    }
    assert.equal(proxyTarget !== undefined, definition.subresources.has('proxy'), `${key}/proxy`);
  }
});

test('every verb of a subresource has a handler', () => {
  for (const definition of registry.resources)
    for (const subresource of definition.subresources.values())
      assert.deepEqual(
        unserved(definition, subresource),
        [],
        `${keyFromDefinition(definition)}/${subresource.name}`,
      );
});

test('every verb of a resource that is not stored has a handler in the table', () => {
  for (const definition of registry.resources.filter(({ stored }) => !stored)) {
    const { verbs = {} } = findKindBehavior(definition);
    assert.deepEqual(Object.keys(verbs).sort(), [...definition.verbs].sort(), keyFromDefinition(definition));
  }
});

function unserved(definition: ResourceDefinition, subresource: SubresourceDefinition): string[] {
  const { subresources = {}, proxyTarget } = findKindBehavior(definition);
  if (subresource.name === 'proxy') return proxyTarget === undefined ? ['proxy'] : [];
  const own = { ...scaleVerbs(subresource), ...subresources[subresource.name] };
  const general = subresource.name === 'status' ? verbsOfStatus : ['get'];
  return subresource.verbs.filter(verb => !Object.hasOwn(own, verb) && !general.includes(verb));
}
