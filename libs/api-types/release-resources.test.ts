import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { inThisVocabulary } from '@binnacle/api-names/testing';
import type { TableColumn } from './definitions/kind-rules.ts';
import type { ResourceDefinition, SubresourceDefinition } from './definitions/resource-definition.ts';
import { createTypeRegistry } from './index.ts';

/** The properties of a resource in release 1.26. */
interface ReleaseFacts {
  readonly kind: string;
  readonly scope: 'namespaced' | 'cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: string;
  readonly subresources?: Readonly<Record<string, string>>;
  /** `name ; type ; format ; wide`, the last two if applicable; absent: Name and Created At. */
  readonly columns?: readonly string[];
  /** Disabled by default. */
  readonly onRequest?: true;
}

const expected: Record<string, ReleaseFacts> = JSON.parse(
  inThisVocabulary(readFileSync(new URL('./fixtures/resources.json', import.meta.url), 'utf8')),
);

const onRequest = Object.keys(expected).filter(name => expected[name]?.onRequest);
const versionsOnRequest = new Set(onRequest.map(name => name.slice(0, name.lastIndexOf('/'))));
const all = createTypeRegistry({ runtimeConfig: [...versionsOnRequest].join() }).resources;

function formatName({ group, version, resource }: ResourceDefinition): string {
  return `${group === '' ? '' : `${group}/`}${version}/${resource}`;
}

function subresourceText(parent: ResourceDefinition, subresource: SubresourceDefinition): string {
  const { group, version, kind, verbs } = subresource;
  const own = group === undefined && version === undefined;
  const place = own ? '' : `${group ?? parent.group}/${version ?? parent.version} `;
  return `${place}${kind} ${[...verbs].sort().join()}`;
}

function columnText({ name, type, format, priority }: TableColumn): string {
  return [name, type, format, priority > 0 ? 'wide' : ''].filter(Boolean).join(' ; ');
}

function collectFacts(definition: ResourceDefinition): ReleaseFacts {
  const { kind, namespaced, shortNames, categories, verbs, subresources, rules } = definition;
  const texts = [...subresources.values()].map(
    subresource => [subresource.name, subresourceText(definition, subresource)] as const,
  );
  return {
    kind,
    scope: namespaced ? 'namespaced' : 'cluster',
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    verbs: verbs.join(),
    ...(texts.length > 0 && { subresources: Object.fromEntries(texts) }),
    ...(rules.columns !== undefined && { columns: rules.columns.map(columnText) }),
  };
}

describe('the resources of release 1.26', () => {
  it('are 63 with 44 subresources, and nothing else is served', () => {
    assert.deepEqual(all.map(formatName).sort(), Object.keys(expected).sort());
    const facts = Object.values(expected);
    const subresources = facts.flatMap(fact => Object.values(fact.subresources ?? {}));
    const verbsIn = (texts: readonly string[]) => texts.join().split(',').length;
    assert.deepEqual(
      {
        resources: facts.length,
        verbs: verbsIn(facts.map(fact => fact.verbs)),
        subresources: subresources.length,
        subresourceVerbs: verbsIn(subresources),
        namespaced: facts.filter(fact => fact.scope === 'namespaced').length,
        shortNames: facts.flatMap(fact => fact.shortNames ?? []).length,
        categories: facts.flatMap(fact => fact.categories ?? []).length,
        columns: facts.flatMap(fact => fact.columns ?? []).length,
        onRequest: onRequest.length,
      },
      {
        resources: 63,
        verbs: 448,
        subresources: 44,
        subresourceVerbs: 125,
        namespaced: 33,
        shortNames: 31,
        categories: 17,
        columns: 302,
        onRequest: 4,
      },
    );
  });

  it('are served by default unless they are alpha', () => {
    const served = new Set(createTypeRegistry().resources.map(formatName));
    for (const name of Object.keys(expected)) assert.equal(served.has(name), !onRequest.includes(name), name);
  });

  for (const definition of all) {
    it(`${formatName(definition)} has the names, verbs, subresources and columns of the release`, () => {
      const { onRequest: _, ...facts } = expected[formatName(definition)] ?? {};
      assert.deepEqual(collectFacts(definition), facts);
    });
  }
});
