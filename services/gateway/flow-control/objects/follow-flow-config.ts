import { groups } from '@binnacle/api-names';
import type { TypeRegistry } from '@binnacle/api-types';
import type { TypeCache, WatchCache } from '@binnacle/watch-cache';
import { type FlowConfig, flowConfigFrom } from '../flow-config.ts';

/** The group of both kinds. */
export const flowControlGroup = groups.flowcontrol;
/** The version in which both are stored. */
export const flowControlVersion = 'v1beta3';

/** The sources of the configuration. */
interface FlowConfigSources {
  readonly registry: Pick<TypeRegistry, 'resource'>;
  readonly watchCache: Pick<WatchCache, 'type'>;
}

/** The caches of both kinds; undefined where the API of flow control is switched off. */
export function flowControlCaches({ registry, watchCache }: FlowConfigSources) {
  const findCache = (resource: string): TypeCache | undefined => {
    const definition = registry.resource(flowControlGroup, flowControlVersion, resource);
    return definition && watchCache.type(definition);
  };
  const schemas = findCache('flowschemas');
  const levels = findCache('prioritylevelconfigurations');
  return schemas && levels && { schemas, levels };
}

/**
 * Reads the configuration from caches that are ready, and again whenever it has changed: once for all changes of one
 * turn of the event loop. A change of status alone calls `onStatus` instead.
 */
export function followFlowConfig(
  sources: FlowConfigSources,
  onConfig: (config: FlowConfig) => void,
  onStatus: () => void = () => {},
): () => void {
  const caches = flowControlCaches(sources);
  if (caches === undefined) return () => {};
  const { schemas, levels } = caches;
  let scheduled: NodeJS.Immediate | undefined;
  const read = () => {
    scheduled = undefined;
    const parseObjects = (cache: TypeCache) => cache.list({}).objects.map(object => object.parse());
    onConfig(flowConfigFrom(parseObjects(schemas), parseObjects(levels)));
  };
  const stops = [schemas, levels].map(cache =>
    cache.subscribe(({ type, object, previous }) => {
      // The generation counts changes of the specification.
      const isSame = previous?.parse().metadata.generation === object.parse().metadata.generation;
      if (type === 'MODIFIED' && isSame) onStatus();
      else scheduled ??= setImmediate(read);
    }),
  );
  read();
  return () => {
    for (const stop of stops) stop();
    clearImmediate(scheduled);
  };
}
