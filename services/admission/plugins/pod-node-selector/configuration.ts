import { asObject, asText } from '@binnacle/api-types';
import { FlagError } from '@binnacle/service-kit';
import { errorMessage } from '@binnacle/status-errors';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';
import { parseSelectorLabels, type SelectorLabels } from './selector-labels.ts';

/** Configuration of the plugin. */
export interface NodeSelectorConfiguration {
  /** For namespaces that do not say. */
  readonly clusterDefault: SelectorLabels;
  /** The labels that the pods of a namespace may select at most, by its name. */
  readonly permitted: ReadonlyMap<string, SelectorLabels>;
}

const defaultKey = 'clusterDefaultNodeSelector';

/** Reads `podNodeSelectorPluginConfig` of the document; throws a FlagError for what is no selector. */
export function nodeSelectorConfigurationFrom(
  configuration: PluginConfiguration | undefined,
): NodeSelectorConfiguration {
  const { podNodeSelectorPluginConfig } = configuration?.document ?? {};
  const entries = asObject(podNodeSelectorPluginConfig ?? {});
  if (entries === undefined) throw problem('podNodeSelectorPluginConfig is not an object');
  const permitted = new Map<string, SelectorLabels>();
  for (const [namespace, selector] of Object.entries(entries)) {
    if (typeof selector !== 'string') throw problem(`the selector of ${namespace} is not a text`);
    permitted.set(namespace, labelsOf(namespace, asText(selector)));
  }
  const clusterDefault = permitted.get(defaultKey) ?? {};
  permitted.delete(defaultKey);
  return { clusterDefault, permitted };
}

function labelsOf(namespace: string, selector: string): SelectorLabels {
  try {
    return parseSelectorLabels(selector);
  } catch (thrown) {
    throw problem(`the selector of ${namespace}: ${errorMessage(thrown)}`);
  }
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin PodNodeSelector: ${what}`);
}
