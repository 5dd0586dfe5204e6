import { mediaTypes } from '@binnacle/api-names';

/** A request whose body takes more work than its size suggests. */
interface HeavyRequest {
  /** The name of the body in reports. */
  readonly what: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** Below the namespace, for example `configmaps`. */
  readonly resource: string;
  readonly mediaType: string;
  readonly body: string | Buffer;
  /** An object of the same resource that must be there before, and which the request names. */
  readonly target?: object;
}

/** Entries of the bodies; well beyond what a server needs to accept. */
const defaultEntries = 200_000;

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = mediaTypes.protobuf;
const mergePatch = 'application/merge-patch+json';
const strategicMergePatch = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const applyPatch = 'application/apply-patch+yaml';

/** Every heavy request, with bodies of so many entries (or as many as 3 MiB hold). */
export function heavyRequests(entries = defaultEntries): HeavyRequest[] {
  return [...heavyYaml(entries), ...heavyCreates(entries), ...heavyPatches(entries)];
}

/** YAML text that costs a parser more than its length. */
export function heavyYamlTexts(entries = defaultEntries): ReadonlyMap<string, string> {
  return new Map([
    ['collections as keys, nested', `${'? '.repeat(500)}a`],
    ['flow collections as keys, nested', '{? ['.repeat(250)],
    ['flow collections as keys', `[${'{[a]: b}, '.repeat(Math.min(entries, 200_000))}]`],
    ['members', `data:\n${lines(entries, i => `  k${i}: v\n`)}`],
    ['members of one flow map', `data: {${lines(entries, i => `k${i}: v, `)}}`],
    ['list items', `metadata:\n  finalizers:\n${lines(entries, () => '  - a\n')}`],
    ['items of one flow list', `metadata: {finalizers: [${'a,'.repeat(entries)}]}`],
    ['comments', lines(entries, () => '#\n')],
    ['empty lines', `a: b\n${'\n'.repeat(entries)}c: d\n`],
    ['empty lines with spaces', `a: b\n${' \n'.repeat(entries)}c: d\n`],
    ['comments between members', `a: b\n${'  # c\n'.repeat(entries)}c: d\n`],
    ['empty documents', '---\n'.repeat(entries)],
    ['directives', '%YAML 1.2\n'.repeat(entries)],
    ['lines of a plain text', `a: ${'b\n  '.repeat(entries)}`],
    ['lines of a quoted text', `a: "${'b\n  '.repeat(entries)}"`],
    ['lines of a block text', `a: |\n${'  b\n'.repeat(entries)}`],
    ['escapes', `a: "${'\\n'.repeat(entries)}"`],
    ['spaces in a plain text', `a: b${' '.repeat(entries)}c`],
    ['anchors', lines(entries, i => `- &a${i} b\n`)],
    ['aliases', `- &a b\n${'- *a\n'.repeat(entries)}`],
    ['tags', '- !!str a\n'.repeat(entries)],
    ['anchors of nothing', `a: ${'&a '.repeat(entries)}`],
    ['question marks', '? a\n'.repeat(entries)],
    ['colons', ': a\n'.repeat(entries)],
    ['commas', `[${','.repeat(entries)}]`],
    ['brackets that are not open', ']'.repeat(entries)],
    ['indentation that goes down and up', indentation(1200)],
    ['flow lists, nested', '['.repeat(entries)],
    ['block lists, nested', '- '.repeat(entries)],
  ]);
}

function heavyYaml(entries: number): HeavyRequest[] {
  return [...heavyYamlTexts(entries)].map(([what, body]) => ({
    what: `YAML, ${what}`,
    method: 'POST',
    resource: 'configmaps',
    mediaType: yaml,
    body: body.slice(0, 3_000_000),
  }));
}

function heavyCreates(entries: number): HeavyRequest[] {
  const create = (what: string, resource: string, body: string): HeavyRequest => ({
    what: `JSON, ${what}`,
    method: 'POST',
    resource,
    mediaType: json,
    body,
  });
  return [
    create('members of a map', 'configmaps', objectText({ data: members(entries) })),
    create('one member again and again', 'configmaps', objectText({ data: repeated(entries, '"a":""') })),
    create('labels', 'configmaps', `{"metadata":{"name":"heavy","labels":${members(entries)}}}`),
    create('annotations', 'configmaps', `{"metadata":{"name":"heavy","annotations":${members(entries)}}}`),
    create(
      'empty finalizers',
      'configmaps',
      `{"metadata":{"name":"heavy","finalizers":[${list(entries * 5, '""')}]}}`,
    ),
    create(
      'finalizers',
      'configmaps',
      `{"metadata":{"name":"heavy","finalizers":[${joined(entries, i => `"f${i}"`)}]}}`,
    ),
    create('unknown members', 'configmaps', objectText(membersText(entries))),
    create('empty objects in an unknown list', 'configmaps', objectText(`"x":[${list(entries * 4, '{}')}]`)),
    create(
      'list by key',
      'services',
      objectText(`"spec":{"ports":[${joined(entries, i => `{"port":${i}}`)}]}`),
    ),
    create(
      'empty objects in a list by key',
      'services',
      objectText(`"spec":{"ports":[${list(entries * 4, '{}')}]}`),
    ),
    create(
      'arguments',
      'pods',
      objectText(
        `"spec":{"containers":[{"name":"a","image":"b","args":[${joined(entries, i => `"a${i}"`)}]}]}`,
      ),
    ),
    create(
      'containers',
      'pods',
      objectText(`"spec":{"containers":[${joined(entries / 4, i => `{"name":"c${i}","image":"b"}`)}]}`),
    ),
    create(
      'addresses',
      'endpoints',
      objectText(`"subsets":[{"addresses":[${joined(entries / 2, i => `{"ip":"10.0.0.${i % 250}"}`)}]}]`),
    ),
    {
      what: 'protobuf, members of a map',
      method: 'POST',
      resource: 'configmaps',
      mediaType: protobuf,
      body: protobufConfigMap(entries),
    },
  ];
}

const smallMap = { metadata: { name: 'heavy' }, data: { a: 'b' } };

function heavyPatches(entries: number): HeavyRequest[] {
  const patch = (what: string, mediaType: string, body: string, target: object = smallMap): HeavyRequest => ({
    what,
    method: 'PATCH',
    resource: 'ports' in ((target as { spec?: object }).spec ?? {}) ? 'services' : 'configmaps',
    mediaType,
    body,
    target,
  });
  const service = { metadata: { name: 'heavy' }, spec: { ports: [{ port: 80 }] } };
  const ports = joined(entries / 4, i => `{"port":${(i % 65_000) + 1},"name":"p${i}"}`);
  const operations = (count: number, one: (i: number) => string) => `[${joined(count, one)}]`;
  return [
    patch('merge patch, members', mergePatch, `{"data":${members(entries)}}`),
    patch('merge patch, nulls', mergePatch, `{"data":{${joined(entries, i => `"k${i}":null`)}}}`),
    patch('strategic merge, members', strategicMergePatch, `{"data":${members(entries)}}`),
    patch('strategic merge, list by key', strategicMergePatch, `{"spec":{"ports":[${ports}]}}`, service),
    patch(
      'strategic merge, set',
      strategicMergePatch,
      `{"metadata":{"finalizers":[${joined(entries, i => `"f${i}"`)}]}}`,
    ),
    patch(
      'JSON patch, additions',
      jsonPatch,
      operations(10_000, i => `{"op":"add","path":"/data/k${i}","value":"v"}`),
    ),
    patch(
      'JSON patch, one large addition',
      jsonPatch,
      `[{"op":"add","path":"/data","value":${members(entries)}}]`,
    ),
    patch(
      'JSON patch, copies of copies',
      jsonPatch,
      operations(5000, i => doubling(i)),
      smallMap,
    ),
    patch('JSON patch, insertions at the front of a list', jsonPatch, insertions(entries)),
    patch('apply, members', applyPatch, applied(`"data":${members(entries)}`)),
    patch(
      'apply, set',
      applyPatch,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"heavy","finalizers":[${joined(entries, i => `"example.com/f${i}"`)}]}}`,
    ),
    patch(
      'apply, list by key',
      applyPatch,
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"heavy"},"spec":{"ports":[${joined(entries / 3, i => `{"port":${(i % 65_000) + 1},"protocol":"TCP"}`)}]}}`,
      service,
    ),
  ];
}

function applied(rest: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"heavy"},${rest}}`;
}

function insertions(entries: number): string {
  const first = `{"op":"add","path":"/metadata/finalizers","value":[${list(Math.min(entries, 50_000), '"a/b"')}]}`;
  const more = joined(9000, () => '{"op":"add","path":"/metadata/finalizers/0","value":"a/b"}');
  return `[${first},${more}]`;
}

function doubling(i: number): string {
  return i === 0
    ? '{"op":"add","path":"/data","value":{"a":{"b":["c","d"]}}}'
    : '{"op":"copy","from":"/data/a/b","path":"/data/a/b/-"}';
}

/** An object named `heavy`, with members written out as JSON. */
function objectText(rest: string | { readonly data: string }): string {
  const text = typeof rest === 'string' ? rest : `"data":${rest.data}`;
  return `{"metadata":{"name":"heavy"},${text}}`;
}

function members(count: number): string {
  return `{${membersText(count)}}`;
}

function membersText(count: number): string {
  return joined(count, i => `"k${i}":""`);
}

function repeated(count: number, member: string): string {
  return `{${list(count, member)}}`;
}

function list(count: number, item: string): string {
  return joined(count, () => item);
}

function joined(count: number, item: (i: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, i) => item(i)).join(',');
}

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('');
}

function indentation(depth: number): string {
  const down = Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`);
  return down.join('') + [...down].reverse().join('').replaceAll('a', 'b');
}

/** The bytes of a ConfigMap with entries of an empty value, in its envelope. */
function protobufConfigMap(entries: number): Buffer {
  const typeMeta = delimited(0x0a, [
    delimited(0x0a, [Buffer.from('v1')]),
    delimited(0x12, [Buffer.from('ConfigMap')]),
  ]);
  const metadata = delimited(0x0a, [delimited(0x0a, [Buffer.from('heavy')])]);
  const data = Array.from({ length: entries }, (_, i) =>
    delimited(0x12, [delimited(0x0a, [Buffer.from(`k${i}`)]), Buffer.from([0x12, 0])]),
  );
  return Buffer.concat([Buffer.from('k8s\0'), typeMeta, delimited(0x12, [metadata, ...data])]);
}

function delimited(tag: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      length.push(rest);
      break;
    }
    length.push((rest % 128) + 128);
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
