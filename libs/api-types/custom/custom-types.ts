import { createHash } from 'node:crypto';
import { standardVerbs, statusSubresource } from '../definitions/resource-declaration.ts';
import type {
  ResourceDefinition,
  ScalePaths,
  SubresourceDefinition,
  Verb,
} from '../definitions/resource-definition.ts';
import type { CustomResourceSubresourceScale } from '../generated/apiextensions/v1.ts';
import { isBuiltInGroup } from '../group-names/built-in-groups.ts';
import { compareVersions } from '../group-names/group-order.ts';
import { conversionWebhookFrom } from './conversion-webhook.ts';
import type { CustomDefinition, DefinitionVersion } from './custom-definition.ts';
import { customMessage, customMessageName } from './custom-message.ts';
import { customRules } from './custom-rules.ts';

/**
 * Returns the resource types of a definition, one for each served version, with the storage version as `storage` of the others.
 * Empty for a definition that is not established. Throws for unsupported definitions: unknown conversion strategies, built-in
 * groups.
 */
export function customTypesFrom(definition: CustomDefinition): readonly ResourceDefinition[] {
  if (!definition.established) return [];
  if (!knownConversions.has(definition.conversion))
    throw new Error(
      `${definition.name} has the conversion strategy ${definition.conversion}, which is not supported`,
    );
  assertNotBuiltIn(definition);
  const stored = definition.versions.find(version => version.storage);
  if (stored === undefined) return [];
  const storage = createType(definition, stored);
  return definition.versions
    .filter(version => version.served)
    .map(version =>
      version === stored ? storage : createType(definition, version, { type: storage, version: stored }),
    )
    .sort((a, b) => compareVersions(a.version, b.version));
}

const knownConversions: ReadonlySet<string> = new Set(['', 'None', 'Webhook']);

/** A definition in an old store must not hide built-in resources or use their keys, whether they are served or not. */
function assertNotBuiltIn({ name, group }: CustomDefinition): void {
  if (isBuiltInGroup(group)) throw new Error(`${name} is in a group of built-in resources`);
}

function createType(
  definition: CustomDefinition,
  version: DefinitionVersion,
  behind?: { readonly type: ResourceDefinition; readonly version: DefinitionVersion },
): ResourceDefinition {
  const { group, namespaced, acceptedNames, terminating } = definition;
  const { kind, listKind, plural, singular, shortNames, categories } = acceptedNames;
  const storage = behind?.type;
  const scale = version.scale && scalePathsFrom(version.scale);
  const warning = findDeprecation(definition, version);
  const conversionWebhook = conversionWebhookFrom(definition);
  return Object.freeze({
    group,
    version: version.name,
    resource: plural,
    kind,
    listKind,
    singular,
    namespaced,
    shortNames,
    categories,
    verbs: terminating ? verbsOfTerminating : standardVerbs,
    subresources: new Map(createSubresources(kind, version, scale).map(one => [one.name, one])),
    message: customMessage(customMessageName(group, version.name, kind), version.schema),
    rules: customRules({ definition: definition.name, version, scale, storedVersion: behind?.version }),
    stored: true,
    storagePrefix: `/${group}/${plural}/`,
    ...(storage && { storageVersion: storage.version, storage }),
    ...(conversionWebhook && { conversionWebhook }),
    ...(warning !== undefined && { deprecation: warning }),
    storageVersionHash: createHashText(`${group}/${storage?.version ?? version.name}/${kind}`),
  });
}

/** No objects can be created during the deletion of a definition. */
const verbsOfTerminating: readonly Verb[] = standardVerbs.filter(verb => verb !== 'create');

function createSubresources(
  kind: string,
  { hasStatus }: DefinitionVersion,
  scale: ScalePaths | undefined,
): SubresourceDefinition[] {
  const scaled: SubresourceDefinition[] =
    scale === undefined
      ? []
      : [
          {
            name: 'scale',
            group: 'autoscaling',
            version: 'v1',
            kind: 'Scale',
            verbs: ['get', 'patch', 'update'],
            scale,
          },
        ];
  return hasStatus ? [statusSubresource(kind), ...scaled] : scaled;
}

function scalePathsFrom(scale: CustomResourceSubresourceScale): ScalePaths {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  return {
    specReplicasPath,
    statusReplicasPath,
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  };
}

/** Returns the deprecation warning of a version; by default it recommends the newest version that is at least as stable. */
function findDeprecation(
  { group, acceptedNames: { kind }, versions }: CustomDefinition,
  { name, deprecated, deprecationWarning }: DefinitionVersion,
): string | undefined {
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const [better] = versions
    .filter(other => other.served && !other.deprecated && compareVersions(other.name, name) < 0)
    .map(other => other.name)
    .sort(compareVersions);
  const notice = `${group}/${name} ${kind} is deprecated`;
  return better === undefined ? notice : `${notice}; use ${group}/${better} ${kind}`;
}

function createHashText(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}
