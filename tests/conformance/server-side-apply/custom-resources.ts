import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { at, type ConformanceServer, type ConformanceTests } from '../drivers/conformance-server.ts';
import { conflictFields } from './conflicts.ts';
import { defineMarks } from './custom-definitions.ts';
import { fieldManagers } from './field-managers.ts';
import { createWriters } from './writers.ts';

const text = { type: 'string' };
const texts = (listType?: string): JsonObject => ({
  type: 'array',
  items: text,
  ...(listType && { 'x-cluster-list-type': listType }),
});
const pair = (mapType?: string): JsonObject => ({
  type: 'object',
  properties: { x: text, y: text },
  ...(mapType && { 'x-cluster-map-type': mapType }),
});
const keyed = (keys: string[], properties: JsonObject): JsonObject => ({
  type: 'array',
  'x-cluster-list-type': 'map',
  'x-cluster-list-map-keys': keys,
  items: { type: 'object', required: [keys[0] ?? ''], properties },
});
const marked: JsonObject = {
  properties: {
    set: texts('set'),
    atomic: texts('atomic'),
    map: keyed(['k'], { k: text, v: text }),
    two: keyed(['k', 'p'], { k: text, p: { type: 'string', default: 'TCP' }, v: text }),
    granular: pair('granular'),
    whole: pair('atomic'),
    labels: { type: 'object', additionalProperties: text },
    wholeLabels: { type: 'object', additionalProperties: text, 'x-cluster-map-type': 'atomic' },
  },
};

/** Waits until something holds at every gateway: a changed definition comes to each in its time. */
async function everywhere(
  server: ConformanceServer,
  what: string,
  holds: (gateway: number) => Promise<boolean>,
): Promise<void> {
  for (const gateway of server.gateways.keys()) await until(what, () => holds(gateway));
}

/** Markers of custom definitions, and resources without any: spec 1, "Server-side apply", 8, 10 and 11. */
export const customResourceTests: ConformanceTests = {
  async '1/Server-side apply/8g each extension makes a field what the marker would'(server) {
    const { apply } = await createWriters(server);
    await using definition = await defineMarks(server, marked);
    const { mark } = definition;
    const spec = {
      set: ['x'],
      atomic: ['1'],
      map: [{ k: '1', v: '1' }],
      two: [{ k: '1', v: '1' }],
      granular: { x: '1' },
      whole: { x: '1' },
      labels: { a: '1' },
      wholeLabels: { a: '1' },
    };
    const { code, body } = await apply('m', mark('a', spec));
    assert.equal(code, 201);
    const [map, two] = ['.spec.map[{"k":"1"}]', '.spec.two[{"k":"1","p":"TCP"}]'];
    assert.deepEqual(fieldManagers(body), {
      'm Apply': [
        '.spec.atomic',
        '.spec.granular.x',
        '.spec.labels.a',
        map,
        `${map}.k`,
        `${map}.v`,
        '.spec.set["x"]',
        two,
        `${two}.k`,
        `${two}.v`,
        '.spec.whole',
        '.spec.wholeLabels',
      ],
    });
  },

  async '1/Server-side apply/8g managers merge what is not atomic'(server) {
    const { apply } = await createWriters(server);
    await using definition = await defineMarks(server, marked);
    const { mark } = definition;
    const first = {
      set: ['x'],
      map: [{ k: '1' }],
      two: [{ k: '1' }],
      granular: { x: '1' },
      labels: { a: '1' },
    };
    await apply('m1', mark('a', first));
    const second = {
      set: ['y'],
      map: [{ k: '2' }],
      two: [{ k: '1', p: 'UDP' }],
      granular: { y: '1' },
      labels: { b: '1' },
    };
    const { body } = await apply('m2', mark('a', second));
    assert.deepEqual(at(body, 'spec'), {
      set: ['x', 'y'],
      map: [{ k: '1' }, { k: '2' }],
      two: [
        { k: '1', p: 'TCP' },
        { k: '1', p: 'UDP' },
      ],
      granular: { x: '1', y: '1' },
      labels: { a: '1', b: '1' },
    });
    const left = await apply('m1', mark('a', {}));
    assert.deepEqual(left.at('spec'), { ...second });
  },

  async '1/Server-side apply/8g managers conflict over what is atomic'(server) {
    const { apply, tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, marked);
    const { mark } = definition;
    await apply('m1', mark('a', { atomic: ['1'], whole: { x: '1' }, wholeLabels: { a: '1' } }));
    const second = mark('a', { atomic: ['2'], whole: { y: '1' }, wholeLabels: { b: '1' } });
    assert.deepEqual(conflictFields(await tryApply('m2', second)), [
      '.spec.atomic',
      '.spec.whole',
      '.spec.wholeLabels',
    ]);
    const { body } = await apply('m2', second, { query: 'force=true' });
    assert.deepEqual(at(body, 'spec'), second['spec']);
  },

  async '1/Server-side apply/8g sets and keyed lists are unique'(server) {
    const { tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, marked);
    const specs = { set: ['q', 'q'], map: [{ k: 'q' }, { k: 'q' }] };
    for (const [field, value] of Object.entries(specs)) {
      const { code, text: answer } = await tryApply('m', definition.mark('a', { [field]: value }));
      assert.ok(code === 400 || code === 422, `${code} ${answer}`);
      assert.match(answer, new RegExp(`spec\\.${field}`));
    }
  },

  async '1/Server-side apply/10a keys are fields that have owners, known to the schema or not'(server) {
    const { apply, tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, {
      properties: { nested: pair() },
      'x-cluster-preserve-unknown-fields': true,
    });
    const { mark } = definition;
    await apply('m1', mark('a', { nested: { x: '1' }, any: { q: '1' } }));
    const { body } = await apply('m2', mark('a', { nested: { y: '1' }, any: { r: '1' } }));
    assert.deepEqual(at(body, 'spec'), { nested: { x: '1', y: '1' }, any: { q: '1', r: '1' } });
    assert.deepEqual(fieldManagers(body), {
      'm1 Apply': ['.spec.any', '.spec.any.q', '.spec.nested.x'],
      'm2 Apply': ['.spec.any', '.spec.any.r', '.spec.nested.y'],
    });
    const third = await tryApply('m2', mark('a', { any: { q: '2' } }));
    assert.deepEqual(conflictFields(third), ['.spec.any.q']);
  },

  async '1/Server-side apply/10b a list without a marker is atomic'(server) {
    const { apply, tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, { properties: { plain: texts() } });
    const { mark } = definition;
    const { body } = await apply('m1', mark('a', { plain: ['x'] }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.spec.plain'] });
    assert.deepEqual(conflictFields(await tryApply('m2', mark('a', { plain: ['y'] }))), ['.spec.plain']);
  },

  async '1/Server-side apply/11a owners of keys own the whole once it is atomic'(server) {
    const { apply, tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, { properties: { value: pair('granular') } });
    const { mark } = definition;
    const { body } = await apply('m1', mark('a', { value: { x: '1' } }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.spec.value.x'] });
    await definition.change({ properties: { value: pair('atomic') } });
    const other = mark('a', { value: { y: '1' } });
    await everywhere(server, 'a conflict', async gateway => {
      const dry = await tryApply('m2', other, { query: 'dryRun=All', gateway });
      return dry.code === 409;
    });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), ['.spec.value']);
  },

  async '1/Server-side apply/11b what was in an atomic value is free once it is granular'(server) {
    const { apply, tryApply } = await createWriters(server);
    await using definition = await defineMarks(server, { properties: { value: pair('atomic') } });
    const { mark } = definition;
    const { body } = await apply('m1', mark('a', { value: { x: '1' } }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.spec.value'] });
    const other = mark('a', { value: { x: '2' } });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), ['.spec.value']);
    await definition.change({ properties: { value: pair('granular') } });
    await everywhere(server, 'no conflict any more', async gateway => {
      const dry = await tryApply('m2', other, { query: 'dryRun=All', gateway });
      return dry.code === 200;
    });
    const { code, body: changed } = await tryApply('m2', other);
    assert.equal(code, 200);
    assert.deepEqual(at(changed, 'spec', 'value'), { x: '2' });
  },
};
