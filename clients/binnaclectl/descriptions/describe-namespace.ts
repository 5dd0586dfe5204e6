import type { JsonObject } from '@binnacle/api-objects';
import { objectIn, objectsIn, textIn, textsIn } from '../objects/page.ts';
import { plainText } from './describe-content.ts';
import { describeMetadata } from './describe-metadata.ts';
import { sortedEntries } from './sorted-entries.ts';

/** Quotas and limit ranges of a namespace. */
interface NamespaceLimits {
  readonly quotas: readonly JsonObject[];
  readonly limitRanges: readonly JsonObject[];
}

/** A Namespace with its conditions, quotas and limit ranges. */
export function describeNamespace(namespace: JsonObject, { quotas, limitRanges }: NamespaceLimits): string {
  const status = objectIn(namespace, 'status');
  const conditions = objectsIn(status, 'conditions');
  return [
    describeMetadata(namespace, { showsNamespace: false }),
    `Status:\t${textIn(status, 'phase')}\n`,
    ...(conditions.length === 0 ? [] : conditionLines(conditions)),
    '\n',
    ...quotaListLines(quotas),
    '\n',
    ...limitRangeListLines(limitRanges),
  ].join('');
}

/** A ResourceQuota with what is used of it. */
export function describeQuota(quota: JsonObject): string {
  const metadata = objectIn(quota, 'metadata');
  return [
    `Name:\t${textIn(metadata, 'name')}\n`,
    `Namespace:\t${textIn(metadata, 'namespace')}\n`,
    ...scopeLines(quota, { indent: '', bullet: ' *' }),
    'Resource\tUsed\tHard\n',
    '--------\t----\t----\n',
    ...usageLines(quota, ''),
  ].join('');
}

/** A LimitRange with a line for each resource that it limits. */
export function describeLimitRange(limitRange: JsonObject): string {
  const metadata = objectIn(limitRange, 'metadata');
  return [
    `Name:\t${textIn(metadata, 'name')}\n`,
    `Namespace:\t${textIn(metadata, 'namespace')}\n`,
    `${limitColumns.join('\t')}\n`,
    `${limitColumns.map(name => '-'.repeat(name.length)).join('\t')}\n`,
    ...limitLines(limitRange, ''),
  ].join('');
}

function conditionLines(conditions: readonly JsonObject[]): string[] {
  const fields = ['type', 'status', 'lastTransitionTime', 'reason', 'message'];
  return [
    'Conditions:\n',
    '  Type\tStatus\tLastTransitionTime\tReason\tMessage\n',
    '  ----\t------\t------------------\t------\t-------\n',
    ...conditions.map(condition => `  ${fields.map(field => textIn(condition, field)).join('\t')}\n`),
  ];
}

function quotaListLines(quotas: readonly JsonObject[]): string[] {
  if (quotas.length === 0) return ['No resource quota.\n'];
  return [
    'Resource Quotas\n',
    ...quotas.flatMap(quota => [
      `  Name:\t${textIn(objectIn(quota, 'metadata'), 'name')}\n`,
      ...scopeLines(quota, { indent: '  ', bullet: '*' }),
      '  Resource\tUsed\tHard\n',
      '  --------\t---\t---\n',
      ...usageLines(quota, '  '),
    ]),
  ];
}

const scopeTexts: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function scopeLines(
  quota: JsonObject,
  { indent, bullet }: { readonly indent: string; readonly bullet: string },
): string[] {
  const scopes = textsIn(objectIn(quota, 'spec'), 'scopes').toSorted();
  if (scopes.length === 0) return [];
  const texts = scopes.flatMap(scope => scopeTexts[scope] ?? []);
  return [`${indent}Scopes:\t${scopes.join(', ')}\n`, ...texts.map(text => `${indent}${bullet} ${text}\n`)];
}

function usageLines(quota: JsonObject, indent: string): string[] {
  const status = objectIn(quota, 'status');
  const used = objectIn(status, 'used');
  return sortedEntries(objectIn(status, 'hard')).map(
    ([resource, hard]) => `${indent}${resource}\t${plainText(used[resource] ?? '0')}\t${plainText(hard)}\n`,
  );
}

const limitColumns = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
];

function limitRangeListLines(limitRanges: readonly JsonObject[]): string[] {
  if (limitRanges.length === 0) return ['No LimitRange resource.\n'];
  return [
    'Resource Limits\n',
    ` ${limitColumns.join('\t')}\n`,
    ` ${limitColumns.map(name => '-'.repeat(name.length)).join('\t')}\n`,
    ...limitRanges.flatMap(limitRange => limitLines(limitRange, ' ')),
  ];
}

function limitLines(limitRange: JsonObject, indent: string): string[] {
  const fields = ['min', 'max', 'defaultRequest', 'default', 'maxLimitRequestRatio'];
  return objectsIn(objectIn(limitRange, 'spec'), 'limits').flatMap(limit => {
    const values = fields.map(field => objectIn(limit, field));
    const resources = new Set(values.flatMap(value => Object.keys(value)));
    return [...resources].toSorted().map(resource => {
      const cells = values.map(value => plainText(value[resource] ?? '-'));
      return `${indent}${[textIn(limit, 'type'), resource, ...cells].join('\t')}\n`;
    });
  });
}
