import { understood } from '@binnacle/api-names';
import { validateLabelValue, validateQualifiedName } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import type { Mutation } from '../../chain/plugin.ts';
import type { PluginConfiguration, PluginRegistration } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';
import { annotationValues } from '../pods/annotations.ts';
import { namespaceMetadata, namespaceType } from '../pods/namespace-metadata.ts';
import { forbidWrite, newPodToChange, podUnderCreation } from '../pods/pod-review.ts';

/** PodNodeSelector, off by default: restricts the pods of a namespace to the nodes that its annotation selects. */
export const podNodeSelector: PluginRegistration = {
  name: 'PodNodeSelector',
  byDefault: false,
  concerns: ['/pods'],
  configurable: true,
  create({ objects, configuration }) {
    const namespaces = objects.reader(namespaceType);
    const settings = nodeSelectorConfigurationFrom(configuration);
    return {
      name: 'PodNodeSelector',
      mutate: review => mergeSelector(review, namespaces, settings),
      validate: review => assertSelector(review, namespaces, settings),
    };
  },
};

async function mergeSelector(
  review: Review,
  namespaces: ObjectReader,
  settings: NodeSelectorConfiguration,
): Promise<Mutation> {
  if (podUnderCreation(review) === undefined) return 'unchanged';
  await assertSelector(review, namespaces, settings);
  const ofNamespace = await namespaceSelector(review, namespaces, settings);
  const created = newPodToChange(review);
  if (created === undefined || Object.keys(ofNamespace).length === 0) return 'unchanged';
  created.spec.nodeSelector = { ...ofNamespace, ...created.spec.nodeSelector };
  return 'changed';
}

async function assertSelector(
  review: Review,
  namespaces: ObjectReader,
  settings: NodeSelectorConfiguration,
): Promise<void> {
  const created = podUnderCreation(review);
  if (created === undefined) return;
  const own = created.spec.nodeSelector ?? {};
  const ofNamespace = await namespaceSelector(review, namespaces, settings);
  const conflict = conflictingKey(own, ofNamespace);
  if (conflict !== undefined)
    throw forbidWrite(review, `the pod's node selector for ${conflict} is not that of its namespace`);
  const permitted = settings.permitted.get(review.namespace) ?? {};
  const unpermitted = unpermittedKey({ ...ofNamespace, ...own }, permitted);
  if (unpermitted !== undefined)
    throw forbidWrite(review, `pods of this namespace may not select nodes by ${unpermitted} in this way`);
}

async function namespaceSelector(
  review: Review,
  namespaces: ObjectReader,
  { clusterDefault }: NodeSelectorConfiguration,
): Promise<SelectorLabels> {
  const metadata = await namespaceMetadata(review, namespaces);
  const selectors = annotationValues(metadata, understood.annotations.namespaceNodeSelector);
  if (selectors.length === 0) return clusterDefault;
  const merged: Record<string, string> = {};
  for (const selector of selectors) {
    const labels = readSelector(review, selector);
    const conflict = conflictingKey(merged, labels);
    if (conflict !== undefined)
      throw forbidWrite(review, `the node selectors of the namespace contradict each other for ${conflict}`);
    Object.assign(merged, labels);
  }
  return merged;
}

function readSelector(review: Review, selector: string): SelectorLabels {
  try {
    return parseSelectorLabels(selector);
  } catch (thrown) {
    const why = errorMessage(thrown);
    throw forbidWrite(review, `the node selector of the namespace cannot be read: ${why}`);
  }
}

/** Configuration of the plugin. */
interface NodeSelectorConfiguration {
  /** Selector of namespaces without one of their own. */
  readonly clusterDefault: SelectorLabels;
  /** The labels that the pods of a namespace may select, by the name of the namespace. */
  readonly permitted: ReadonlyMap<string, SelectorLabels>;
}

const defaultKey = 'clusterDefaultNodeSelector';

/** Reads `podNodeSelectorPluginConfig` of the document; throws a FlagError for invalid selectors. */
function nodeSelectorConfigurationFrom(
  configuration: PluginConfiguration | undefined,
): NodeSelectorConfiguration {
  const { podNodeSelectorPluginConfig } = configuration?.document ?? {};
  const entries = asObject(podNodeSelectorPluginConfig ?? {});
  if (entries === undefined) throw problem('podNodeSelectorPluginConfig is not an object');
  const permitted = new Map<string, SelectorLabels>();
  for (const [namespace, selector] of Object.entries(entries)) {
    if (typeof selector !== 'string') throw problem(`the selector of ${namespace} is not a string`);
    permitted.set(namespace, readSelectorLabels(namespace, asText(selector)));
  }
  const clusterDefault = permitted.get(defaultKey) ?? {};
  permitted.delete(defaultKey);
  return { clusterDefault, permitted };
}

function readSelectorLabels(namespace: string, selector: string): SelectorLabels {
  try {
    return parseSelectorLabels(selector);
  } catch (thrown) {
    throw problem(`the selector of ${namespace}: ${errorMessage(thrown)}`);
  }
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin PodNodeSelector: ${what}`);
}

/** Labels that nodes must have, by key. */
type SelectorLabels = Readonly<Record<string, string>>;

/** Reads `a=b,c=d`; throws for anything else. */
export function parseSelectorLabels(text: string): SelectorLabels {
  const labels: Record<string, string> = {};
  if (text.trim() === '') return labels;
  for (const part of text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map(side => side.trim());
    if (value === undefined || rest.length > 0)
      throw new Error(`${JSON.stringify(part)} is not of the form key=value`);
    const [problem] = [...validateQualifiedName(key), ...validateLabelValue(value)];
    if (problem !== undefined) throw new Error(`${JSON.stringify(part)}: ${problem}`);
    labels[key] = value;
  }
  return labels;
}

/** Finds the first key to which both assign different values. */
function conflictingKey(one: SelectorLabels, other: SelectorLabels): string | undefined {
  return Object.keys(one).find(key => Object.hasOwn(other, key) && other[key] !== one[key]);
}

/** Finds the first key whose label is not permitted; an empty set permits all. */
function unpermittedKey(labels: SelectorLabels, permitted: SelectorLabels): string | undefined {
  if (Object.keys(permitted).length === 0) return undefined;
  return Object.keys(labels).find(key => !Object.hasOwn(permitted, key) || permitted[key] !== labels[key]);
}
