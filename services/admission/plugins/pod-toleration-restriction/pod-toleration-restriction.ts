import { taints, understood } from '@binnacle/api-names';
import {
  copyJson,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readJson,
} from '@binnacle/api-objects';
import { qosClassFromSpec } from '@binnacle/api-types';
import type { Toleration } from '@binnacle/api-types/core/v1';
import { FlagError } from '@binnacle/flags';
import type { Mutation } from '../../chain/plugin.ts';
import type { PluginConfiguration, PluginRegistration } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';
import { annotationValues } from '../pods/annotations.ts';
import { namespaceMetadata, namespaceType } from '../pods/namespace-metadata.ts';
import { forbidWrite, podSpecBefore, podToChange, podUnderReview } from '../pods/pod-review.ts';
import { mergeTolerations, TolerationSet } from '../pods/tolerations.ts';

/** PodTolerationRestriction, off by default: adds the tolerations of the namespace to its pods, and restricts theirs. */
export const podTolerationRestriction: PluginRegistration = {
  name: 'PodTolerationRestriction',
  byDefault: false,
  concerns: ['/pods'],
  configurable: true,
  create({ objects, configuration }) {
    const namespaces = objects.reader(namespaceType);
    const settings = tolerationConfigurationFrom(configuration);
    return {
      name: 'PodTolerationRestriction',
      mutate: review => mergeDefaults(review, namespaces, settings),
      validate: review => assertPermitted(review, namespaces, settings),
    };
  },
};

/** The toleration of memory pressure, for pods of a QoS class above BestEffort. */
const memoryPressure: Toleration = {
  key: taints.memoryPressure,
  operator: 'Exists',
  effect: 'NoSchedule',
};

async function mergeDefaults(
  review: Review,
  namespaces: ObjectReader,
  { defaults }: TolerationConfiguration,
): Promise<Mutation> {
  const reviewed = podToChange(review);
  if (reviewed === undefined) return 'unchanged';
  const { spec } = reviewed;
  const own = spec.tolerations ?? [];
  let merged = own;
  if (review.operation === 'CREATE') {
    const ofNamespace = (await annotated(review, namespaces, 'defaultTolerations'))[0] ?? defaults;
    merged = mergeTolerations(ofNamespace, own);
  }
  if (qosClassFromSpec(spec) !== 'BestEffort') merged = mergeTolerations(merged, [memoryPressure]);
  if (equalJson(own, merged)) return 'unchanged';
  spec.tolerations = merged.map(copyJson);
  return 'changed';
}

async function assertPermitted(
  review: Review,
  namespaces: ObjectReader,
  settings: TolerationConfiguration,
): Promise<void> {
  const reviewed = podUnderReview(review);
  const before = new TolerationSet(podSpecBefore(review)?.tolerations);
  const tolerations = (reviewed?.spec.tolerations ?? []).filter(toleration => !before.has(toleration));
  if (tolerations.length === 0) return;
  const ofNamespace = await annotated(review, namespaces, 'tolerationsWhitelist');
  const lists = (ofNamespace.length > 0 ? ofNamespace : [settings.permitted]).filter(list => list.length > 0);
  const permitted = lists.map(list => new TolerationSet(list));
  const other = tolerations.find(toleration => permitted.some(list => !list.covers(toleration)));
  if (other !== undefined)
    throw forbidWrite(review, `pods of this namespace may not tolerate ${other.key || 'every taint'}`);
}

/** Reads the tolerations of an annotation of the namespace, under each accepted name. */
async function annotated(
  review: Review,
  namespaces: ObjectReader,
  name: 'defaultTolerations' | 'tolerationsWhitelist',
): Promise<readonly (readonly JsonObject[])[]> {
  const metadata = await namespaceMetadata(review, namespaces);
  return annotationValues(metadata, understood.annotations[name]).map(text => {
    const tolerations = text === '' ? [] : tolerationsFrom(parse(text));
    if (tolerations !== undefined) return tolerations;
    throw forbidWrite(review, `the annotation ${name} of the namespace is not a list of tolerations`);
  });
}

function parse(text: string): JsonValue {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

/** Configuration of the plugin, for namespaces without annotations. */
interface TolerationConfiguration {
  readonly defaults: readonly JsonObject[];
  /** The tolerations that pods may have; empty: any. */
  readonly permitted: readonly JsonObject[];
}

/** Reads a `Configuration` with `default` and `whitelist`; throws a FlagError for anything else. */
function tolerationConfigurationFrom(
  configuration: PluginConfiguration | undefined,
): TolerationConfiguration {
  const document = configuration?.document ?? {};
  const unknown = Object.keys(document).find(
    field => !['apiVersion', 'kind', 'default', 'whitelist'].includes(field),
  );
  if (unknown !== undefined) throw problem(`unknown field ${JSON.stringify(unknown)}`);
  return {
    defaults: listIn(document, 'default'),
    permitted: listIn(document, 'whitelist'),
  };
}

/** Reads a list of objects; returns undefined for other values. */
function tolerationsFrom(value: JsonValue): JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined;
}

function listIn(document: JsonObject, field: string): JsonObject[] {
  const tolerations = tolerationsFrom(document[field] ?? []);
  if (tolerations === undefined) throw problem(`${field} is not a list of tolerations`);
  return tolerations;
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin PodTolerationRestriction: ${what}`);
}
