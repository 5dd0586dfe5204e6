import {
  fieldPath,
  type JsonObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  validateAnnotations,
  validateConfigMapKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateDomainPrefixedPath,
  validateFieldManager,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateHttpHeaderName,
  validateIPv4Address,
  validateIPv6Address,
  validateIpAddress,
  validateLabels,
  validateLabelValue,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validatePercent,
  validatePortName,
  validatePortNumber,
  validateProcessId,
  validateQualifiedName,
  validateWildcardDnsSubdomain,
} from '@binnacle/api-objects';
import {
  maskTrailingDash,
  validateCIdentifier,
  validateManagedFields,
  validateSocketAddress,
} from '@binnacle/api-objects/testing';
import type { Condition } from '@binnacle/api-types/meta/v1';
import { conditionsErrors } from '@binnacle/api-types/testing';
import { type CaseFile, leftOut, type RowGroup, rowGroup } from './cases/case-file.ts';
import { differs, shown } from './cases/compare.ts';
import { differentErrors, type ExpectedError } from './field-errors.ts';

type Rule = (value: never) => string[];

/** The rules of the formats, by the names of the file. */
const rules: Readonly<Record<string, Rule>> = {
  CIdentifier: validateCIdentifier,
  configMapKey: validateConfigMapKey,
  DNS1035Label: validateDns1035Label,
  DNS1123Label: validateDnsLabel,
  DNS1123Subdomain: validateDnsSubdomain,
  domainPrefixedPath: validateDomainPrefixedPath,
  fullyQualifiedDomainName: validateFullyQualifiedDomainName,
  fullyQualifiedName: validateFullyQualifiedName,
  HTTPHeaderName: validateHttpHeaderName,
  qualifiedName: validateQualifiedName,
  groupID: validateProcessId,
  IP: validateIpAddress,
  IPv4Address: validateIPv4Address,
  IPv6Address: validateIPv6Address,
  labelValue: validateLabelValue,
  percent: validatePercent,
  portName: validatePortName,
  portNum: validatePortNumber,
  socketAddr: validateSocketAddress,
  userID: validateProcessId,
  wildcardDNS1123Subdomain: validateWildcardDnsSubdomain,
};

interface InvalidRow {
  readonly value: never;
  readonly says?: readonly number[];
}

interface ErrorsRow {
  readonly errors?: readonly ExpectedError[];
  readonly errorCount?: number;
}

type LabelsRow = ErrorsRow & { readonly labels: Readonly<Record<string, string>> };
type AnnotationsRow = ErrorsRow & { readonly annotations: Readonly<Record<string, string | LongText>> };
type UpdateRow = ErrorsRow & { readonly old: ObjectMeta; readonly new: ObjectMeta };

interface LongText {
  readonly repeat: string;
  readonly times: number;
}

const root = fieldPath('field');

/** The cases of the formats of short texts and of object metadata. Texts of findings are in other words. */
export function nameCases(document: JsonObject): CaseFile {
  const atGateway = 'options of requests are read by the gateway, whose tests have these cases';
  return {
    groups: [
      ...Object.keys(rules).flatMap(name => formatGroups(document, name)),
      ...metadataGroups(document),
    ],
    leftOut: [
      leftOut(document, 'formats/inRange/valid', {
        reason: 'there is no such rule by itself: ranges are those of fields',
      }),
      leftOut(document, 'formats/inRange/invalid', { reason: 'the same' }),
      leftOut(document, 'metadata/dryRun', { reason: atGateway }),
      leftOut(document, 'metadata/patchOptions', { reason: atGateway }),
    ],
  };
}

function formatGroups(document: JsonObject, name: string): RowGroup[] {
  const rule: Rule = rules[name] ?? (() => []);
  return [
    rowGroup<never>(document, `formats/${name}/valid`, value => {
      const messages = rule(value);
      return messages.length === 0 ? undefined : `${shown(value)} is refused: ${messages.join('; ')}`;
    }),
    rowGroup<InvalidRow>(document, `formats/${name}/invalid`, ({ value, says = [] }) =>
      differs(rule(value).length, says.length, `the number of findings about ${shown(value)}`),
    ),
    rowGroup<InvalidRow>(document, `formats/${name}/phrases`, ({ value }) =>
      rule(value).length > 0 ? undefined : `${shown(value)} is accepted`,
    ),
  ];
}

function metadataGroups(document: JsonObject): RowGroup[] {
  return [
    rowGroup<LabelsRow>(document, 'metadata/labels', ({ labels, errors = [] }) =>
      differentErrors(validateLabels(labels, root), errors),
    ),
    rowGroup<AnnotationsRow>(document, 'metadata/annotations', ({ annotations, errors = [] }) =>
      differentErrors(validateAnnotations(writtenOut(annotations), root), errors),
    ),
    rowGroup<ErrorsRow & { manager: string }>(document, 'metadata/fieldManager', ({ manager, errors = [] }) =>
      differentErrors(validateFieldManager(manager, fieldPath('fieldManager')), errors),
    ),
    rowGroup<ErrorsRow & { entry: ManagedFieldsEntry }>(document, 'metadata/managedFields', row =>
      differentErrors(validateManagedFields([row.entry], fieldPath('managedFields')), row.errors ?? []),
    ),
    rowGroup<ErrorsRow & { ownerReferences: OwnerReference[] }>(
      document,
      'metadata/ownerReferences',
      ({ ownerReferences, ...row }) =>
        problemOfMeta({ name: 'test', namespace: 'test', ownerReferences }, row),
    ),
    rowGroup<ErrorsRow & { metadata: ObjectMeta }>(document, 'metadata/create', ({ metadata, ...row }) =>
      problemOfMeta({ namespace: 'test', ...metadata }, row),
    ),
    rowGroup<UpdateRow>(document, 'metadata/update', row => {
      const errors = validateObjectMetaUpdate(timed(row.new), timed(row.old), { path: root });
      return differentFindings(errors, row);
    }),
    rowGroup<ErrorsRow & { conditions: Condition[] }>(document, 'metadata/conditions', row =>
      differentErrors(conditionsErrors(row.conditions), row.errors ?? []),
    ),
    rowGroup<{ before: string; after: string }>(document, 'metadata/maskTrailingDash', ({ before, after }) =>
      differs(maskTrailingDash(before), after),
    ),
  ];
}

function problemOfMeta(metadata: ObjectMeta, row: ErrorsRow): string | undefined {
  return differentFindings(validateObjectMeta(metadata, { namespaced: true, path: root }), row);
}

function differentFindings(
  found: ReturnType<typeof validateObjectMeta>,
  { errors, errorCount }: ErrorsRow,
): string | undefined {
  if (errors !== undefined) return differentErrors(found, errors);
  return differs(found.length, errorCount, 'the number of findings');
}

/** `set` stands for any time. */
function timed(meta: ObjectMeta): ObjectMeta {
  return meta.deletionTimestamp === 'set' ? { ...meta, deletionTimestamp: '2020-01-01T00:00:00Z' } : meta;
}

function writtenOut(annotations: AnnotationsRow['annotations']): Record<string, string> {
  const entries = Object.entries(annotations).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : value.repeat.repeat(value.times),
  ]);
  return Object.fromEntries(entries);
}
