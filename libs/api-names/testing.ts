/** Helpers for tests, which are written with the `cluster` names and run in both vocabularies. */
import * as table from './table/index.ts';
import { vocabulary } from './vocabulary.ts';

export { apiNamesVariable } from './vocabulary.ts';

/** Converts the text of a test file to the vocabulary of this process. */
export function inThisVocabulary(text: string): string {
  return vocabulary === 'cluster' ? text : toKubernetes(text);
}

/** Test options for behaviour of `cluster` only: `test('...', ofCluster, () => {...})`. */
export const ofCluster = {
  skip: vocabulary !== 'cluster' && 'names of both vocabularies are those of cluster',
};

/** Test options for behaviour of `kubernetes` only. */
export const ofKubernetes = { skip: vocabulary !== 'kubernetes' && 'a test of the vocabulary kubernetes' };

/**
 * Replaces `cluster` names by `kubernetes` names in source code, JSON or YAML. Names that are ordinary words, such as `cluster`
 * alone, are kept.
 */
export function toKubernetes(text: string): string {
  return text.replace(namePattern, (found, offset: number) => {
    const plain = found.replaceAll('\\', '');
    const before = text.slice(Math.max(0, offset - 3), offset);
    const name = plain === domain ? nameOfDomain(before) : (replacements.get(plain) ?? plain);
    // In the source of a regular expression dots and slashes are escaped.
    return found.includes('\\') ? name.replace(found.includes('\\/') ? /[./]/g : /\./g, '\\$&') : name;
  });
}

/**
 * A name in both vocabularies, and a pattern of the text that may follow it: anything for a prefix, further parts for a package,
 * nothing for a whole name.
 */
interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly end: string;
}

const wholeName = '(?![\\w-]|\\.[A-Za-z\\d])';
const wholePart = '(?![\\w-])';
// Under `cluster` the services use names of components: a shared name is converted to that of the component.
const {
  domainTable,
  objectTable,
  serviceUserTable,
  schemaTable,
  groupTable,
  finalizerTable,
  ...otherTables
} = table;
const [domain] = domainTable.labels;
const { namespace: _, ...otherFinalizers } = finalizerTable;
const metadataRows = [...Object.values(table.labelTable), ...Object.values(table.taintTable)];

const rows: readonly Replacement[] = [
  ...[...Object.values(otherTables), otherFinalizers].flatMap(each => createReplacements(each, wholeName)),
  ...createReplacements(groupTable, wholeName),
  ...createReplacements(schemaTable, wholePart),
  ...labelDomains(),
  { from: 'x-cluster-', to: 'x-kubernetes-', end: '' },
  { from: 'vnd.cluster.', to: 'vnd.kubernetes.', end: '' },
  // Any other name of the domain.
  { from: domain, to: '', end: wholeName },
];

const replacements: ReadonlyMap<string, string> = new Map(rows.map(({ from, to }) => [from, to]));

const namePattern = new RegExp(
  rows
    .toSorted((a, b) => b.from.length - a.from.length)
    .map(({ from, end }) => `${startPattern(from)}${escapeName(from)}${end}`)
    .join('|'),
  'g',
);

function createReplacements(names: table.NameTable, end: string): Replacement[] {
  return Object.values(names).map(([from, to]) => ({ from, to, end: /[\w]$/.test(from) ? end : '' }));
}

/** Label domains that are also groups: unless a version or resource follows, they are label domains. */
function labelDomains(): Replacement[] {
  return Object.values(groupTable).flatMap(([from, group]) => {
    const names = metadataRows.filter(row => row[0].startsWith(`${from}/`));
    const domains = new Set(names.map(row => row[1].slice(0, row[1].indexOf('/'))));
    const [to] = domains;
    if (to === undefined || to === group || domains.size > 1) return [];
    return [{ from: `${from}/`, to: `${to}/`, end: '(?!v\\d|[a-z]+s(?![\\w-]))' }];
  });
}

/** Returns the replacement of a domain suffix: that of groups after a dot, otherwise that of labels. */
function nameOfDomain(before: string): string {
  const isSuffix = /(^|[^A-Za-z\d-])\\?\.$/.test(before);
  return (isSuffix ? domainTable.groups : domainTable.labels)[1];
}

function startPattern(name: string): string {
  // A preceding letter belongs to an escaped line break or to another name.
  return /^\w/.test(name) ? '(?:(?<![\\w-])|(?<=\\\\[nt]))' : '';
}

function escapeName(name: string): string {
  return name.replace(/[./]/g, '\\\\?\\$&');
}
