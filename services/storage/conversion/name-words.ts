import type { Vocabulary } from '@binnacle/api-names';
import * as tables from '@binnacle/api-names/table';
import { createTypeRegistry } from '@binnacle/api-types';

/** The direction of a conversion. */
export interface Direction {
  readonly from: Vocabulary;
  readonly to: Vocabulary;
}

/** A name in the other vocabulary, and its sort: `group`, `label`, … */
export interface ConvertedName {
  readonly name: string;
  readonly sort: string;
}

/** The names of one direction of a conversion. */
export interface NameWords {
  /** Converts a text that is a name, or begins with a name prefix; returns undefined for other texts. */
  convert(text: string): ConvertedName | undefined;
  /** Converts a word that is a name only in certain places, such as `cluster`. */
  convertPlain(key: PlainName, text: string): ConvertedName | undefined;
  /** Whether a text contains a name to convert. */
  holdsName(text: string): boolean;
  /** Whether a text may contain a name: a fast check with false positives. */
  holdsMark(text: string): boolean;
  /** Whether this is that label, in either vocabulary. */
  isLabel(name: 'component' | 'serviceName', key: string): boolean;
  /** Whether this is the type of Secrets that hold tokens, in either vocabulary. */
  isTokenType(type: string): boolean;
  /** Whether this is the namespace of the system, in either vocabulary. */
  isSystemNamespace(name: string): boolean;
}

/** Words that are names only in certain places; elsewhere they belong to users. */
const plainRows = {
  apiserver: tables.componentTable.apiserver,
  apiService: tables.objectTable.apiService,
  controllerLease: tables.objectTable.controllerLease,
  namespaceFinalizer: tables.finalizerTable.namespace,
} as const;

export type PlainName = keyof typeof plainRows;

const tokenTypes: ReadonlySet<string> = new Set(tables.secretTypeTable.serviceAccountToken);
const systemNamespaces: ReadonlySet<string> = new Set(tables.namespaceTable.system);

/** Tables of names that are not stored, or that are names only in certain places. */
const unused: ReadonlySet<string> = new Set([
  'auditTable',
  'componentTable',
  'domainTable',
  'mediaTypeTable',
  'objectTable',
  'protocolTable',
  'schemaTable',
  'tokenTable',
  'variableTable',
]);

interface Row {
  readonly from: string;
  readonly to: string;
  readonly sort: string;
}

/**
 * Creates the names of a direction. Groups of custom definitions belong to the user: neither they nor their contents are names here.
 */
export function createNameWords(direction: Direction, customGroups: ReadonlySet<string>): NameWords {
  const rows = createRows(direction);
  const resourcesOfGroup = groupResources();
  const whole = new Map(rows.map(row => [row.from, row]));
  const beginnings = rows
    .filter(({ from }) => /[/:-]$/.test(from) && !from.startsWith('.'))
    .toSorted((a, b) => b.from.length - a.from.length);
  const middles = rows.filter(({ from }) => from.startsWith('.'));
  const groups = new Map(rows.filter(({ sort }) => sort === 'group').map(row => [row.from, row]));
  const namespaces = new Map(rows.filter(({ sort }) => sort === 'namespace').map(row => [row.from, row]));
  const column = columnFromVocabulary(direction.from);
  const domain = { from: tables.domainTable.labels[column], to: tables.domainTable.labels[1 - column] };
  const label = new RegExp(`^${escaped(domain.from)}/([\\w.*-]+)$`);
  const { mayBeName, held } = createPatterns(rows);

  function convert(text: string): ConvertedName | undefined {
    if (!mayBeName.test(text)) return undefined;
    const found = whole.get(text);
    if (found !== undefined) return { name: found.to, sort: found.sort };
    if (isCustom(text, customGroups)) return undefined;
    return (
      withGroup(text) ??
      accountIn(text) ??
      beginning(text) ??
      middle(text) ??
      (label.test(text)
        ? { name: text.replace(domain.from, () => domain.to ?? ''), sort: 'label' }
        : undefined)
    );
  }

  function withGroup(text: string): ConvertedName | undefined {
    for (const form of groupForms) {
      const { before = '', group = '', after = '', plural } = form.exec(text)?.groups ?? {};
      const row = groups.get(group);
      if (row === undefined || (plural !== undefined && !resourcesOfGroup.get(group)?.has(plural))) continue;
      return { name: `${before}${row.to}${after}`, sort: row.sort };
    }
    return undefined;
  }

  function accountIn(text: string): ConvertedName | undefined {
    const [, before = '', namespace = '', after = ''] = accountPattern.exec(text) ?? [];
    const row = namespaces.get(namespace);
    return row && { name: `${before}${row.to}${after}`, sort: 'namespace' };
  }

  function beginning(text: string): ConvertedName | undefined {
    const row = beginnings.find(({ from }) => text.startsWith(from));
    return row && { name: row.to + text.slice(row.from.length), sort: row.sort };
  }

  function middle(text: string): ConvertedName | undefined {
    const row = middles.find(({ from }) => text.includes(from) && !/\s/.test(text));
    return row && { name: text.replace(row.from, () => row.to), sort: row.sort };
  }

  return {
    convert,
    convertPlain(key, text) {
      const row = plainRows[key];
      const [own, other] = [row[column], row[1 - column] ?? text];
      if (text === own) return { name: other, sort: 'object' };
      // The leases of servers are named after the component and a digest.
      return key === 'apiserver' && text.startsWith(`${own}-`)
        ? { name: other + text.slice(own.length), sort: 'object' }
        : undefined;
    },
    isLabel: (name, key) => tables.labelTable[name].some(each => each === key),
    isTokenType: type => tokenTypes.has(type),
    isSystemNamespace: name => systemNamespaces.has(name),
    holdsMark: text => mayBeName.test(text),
    holdsName: text => mayBeName.test(text) && held.test(text) && !isCustom(text, customGroups),
  };
}

const version = 'v\\d+(?:(?:alpha|beta)\\d+)?';
/** Creates the pattern of the fast check, and that of names within a text. */
function createPatterns(rows: readonly Row[]): { readonly mayBeName: RegExp; readonly held: RegExp } {
  const mayBeName = new RegExp([...new Set(rows.map(({ from }) => findMark(from)))].map(escaped).join('|'));
  const held = new RegExp(
    rows
      .filter(({ from }) => !from.startsWith('.'))
      .map(({ from }) => `(?<![\\w.-])${escaped(from)}${/\w$/.test(from) ? '(?![\\w-]|\\.[A-Za-z])' : ''}`)
      .join('|'),
  );
  return { mayBeName, held };
}

/** `GROUP/v1`, `v1.GROUP`, `/apis/GROUP/v1`, `system:GROUP:approver`, `roles.GROUP`, `count/roles.GROUP`. */
const groupForms = [
  new RegExp(`^(?<group>[^/]+)(?<after>/${version})$`),
  new RegExp(`^(?<before>${version}\\.)(?<group>[^/]+)$`),
  /^(?<before>\/apis\/)(?<group>[^/]+)(?<after>.*)$/,
  /^(?<before>system:)(?<group>[^:]+)(?<after>:.+)$/,
  /^(?<before>(?:count\/)?(?<plural>[a-z]+)\.)(?<group>[^/]+)$/,
];
const accountPattern = /^(system:serviceaccounts?:)([^:]+)(:.*)?$/;

function createRows({ from }: Direction): Row[] {
  const column = columnFromVocabulary(from);
  const stored = Object.entries<tables.NameTable>(tables).filter(([table]) => !unused.has(table));
  const mountPath = { mountPath: tables.tokenTable.mountPath };
  return [...stored, ['mountPathTable', mountPath] as const]
    .flatMap(([table, names]) =>
      Object.values(names).map(row => ({
        from: row[column],
        to: row[1 - column] ?? row[0],
        sort: sortFromTable(table),
      })),
    )
    .filter(({ from: name, to }) => name !== to && !plainWords.has(name))
    .reverse(); // The first of two rows with one name counts.
}

const plainWords: ReadonlySet<string> = new Set(tables.finalizerTable.namespace);

/** `secretTypeTable` holds names of the sort `secret type`. */
function sortFromTable(table: string): string {
  return table.replace(/Table$/, '').replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}

function columnFromVocabulary(vocabulary: Vocabulary): 0 | 1 {
  return vocabulary === 'cluster' ? 0 : 1;
}

/** Finds the part of a name that the fast check looks for: its domain, or else the whole name. */
function findMark(name: string): string {
  return /[\w-]+\.io/.exec(name)?.[0] ?? name;
}

/** Whether a text names a group of a user or its contents. */
function isCustom(text: string, customGroups: ReadonlySet<string>): boolean {
  const [, group = ''] = /^(?:[^.]*\/)?([a-z0-9.-]+)/.exec(text) ?? [];
  for (let at = group; at !== ''; at = at.includes('.') ? at.slice(at.indexOf('.') + 1) : '')
    if (customGroups.has(at)) return true;
  return false;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Collects the resources by the names of their group, in both vocabularies. */
function groupResources(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const both = new Map(
    Object.values(tables.groupTable).flatMap((row: tables.NameRow) => row.map(name => [name, row] as const)),
  );
  for (const { group, resource } of createTypeRegistry({ everyVersion: true }).resources)
    for (const name of both.get(group) ?? []) {
      const resources = found.get(name) ?? new Set();
      found.set(name, resources.add(resource));
    }
  return found;
}
