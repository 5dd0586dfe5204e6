/** For tests, which are written in the names of `cluster` and run in either vocabulary. */
import * as table from './table/index.ts';
import { vocabulary } from './vocabulary.ts';

export { apiNamesVariable } from './vocabulary.ts';

/** The text that a test has from a file, in the vocabulary of this process. */
export function inThisVocabulary(text: string): string {
  return vocabulary === 'cluster' ? text : toKubernetes(text);
}

/** For a test of what `cluster` alone has: `test('...', ofCluster, () => {...})`. */
export const ofCluster = {
  skip: vocabulary !== 'cluster' && 'names of both vocabularies are those of cluster',
};

/** For a test of what `kubernetes` alone has. */
export const ofKubernetes = { skip: vocabulary !== 'kubernetes' && 'a test of the vocabulary kubernetes' };

/**
 * Puts the names of `kubernetes` in place of those of `cluster`, wherever they stand in a text: source code, JSON, YAML. Names that
 * are words of other texts too, as `cluster` alone is, stay.
 */
export function toKubernetes(text: string): string {
  return text.replace(namePattern, (found, offset: number) => {
    const plain = found.replaceAll('\\', '');
    const before = text.slice(Math.max(0, offset - 3), offset);
    const name = plain === domain ? nameOfDomain(before) : (replacements.get(plain) ?? plain);
    // In the source of a pattern dots and slashes are escaped.
    return found.includes('\\') ? name.replace(found.includes('\\/') ? /[./]/g : /\./g, '\\$&') : name;
  });
}

/** A name in both vocabularies, and what may follow it: a beginning goes on, a package has parts, and a whole name ends. */
interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly end: string;
}

const wholeName = '(?![\\w-]|\\.[A-Za-z\\d])';
const wholePart = '(?![\\w-])';
// Under `cluster` the services are users of components: a name that is two is that of the component.
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

/** The domains of labels that are groups too: before what is no version and no resource they are those of labels. */
function labelDomains(): Replacement[] {
  return Object.values(groupTable).flatMap(([from, group]) => {
    const names = metadataRows.filter(row => row[0].startsWith(`${from}/`));
    const domains = new Set(names.map(row => row[1].slice(0, row[1].indexOf('/'))));
    const [to] = domains;
    if (to === undefined || to === group || domains.size > 1) return [];
    return [{ from: `${from}/`, to: `${to}/`, end: '(?!v\\d|[a-z]+s(?![\\w-]))' }];
  });
}

/** A suffix of a name that is put together is that of groups; with what is before it in sight, that of labels. */
function nameOfDomain(before: string): string {
  const isSuffix = /(^|[^A-Za-z\d-])\\?\.$/.test(before);
  return (isSuffix ? domainTable.groups : domainTable.labels)[1];
}

function startPattern(name: string): string {
  // A letter before it is that of an escaped line break, or of another name.
  return /^\w/.test(name) ? '(?:(?<![\\w-])|(?<=\\\\[nt]))' : '';
}

function escapeName(name: string): string {
  return name.replace(/[./]/g, '\\\\?\\$&');
}
