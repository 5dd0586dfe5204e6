import type { JsonObject } from '@binnacle/api-objects';
import type { LiveTypeRegistry } from '@binnacle/api-types';
import type { Operation, WebhookDispatchService } from '@binnacle/proto';
import type { Logger } from '@binnacle/telemetry';
import type { NamespaceSource } from '../sources/namespaces.ts';
import type { ObjectSource, TypeName } from '../sources/objects.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionPlugin } from './plugin.ts';
import type { PluginSettings } from './plugin-settings.ts';
import type { ShownNames } from './shown-names.ts';

/** A plugin that can run: its name, whether it does so unless told otherwise, what it reads, and how it is made. */
export interface PluginRegistration {
  /** As the flags write it: `NamespaceLifecycle`. */
  readonly name: string;
  /** Whether it runs unless it is switched off. */
  readonly byDefault: boolean;
  /** The resources that it looks at, `group/resource` each; it is not asked about others. Default: all. */
  readonly concerns?: readonly string[];
  /** The operations that it looks at; it is not asked about others. Default: all. */
  readonly operations?: readonly Operation[];
  /** Types whose objects the cache holds while the plugin runs; others it reads from the store each time. */
  readonly reads?: readonly TypeName[];
  /** Whether the admission configuration may have something for it; default: no. */
  readonly configurable?: boolean;
  /** Makes the plugin; throws a FlagError for a configuration that it cannot work with. */
  create(environment: PluginEnvironment): AdmissionPlugin;
}

/** The configuration of one plugin (spec 2, "Admission configuration"). */
export interface PluginConfiguration {
  /** The document: what stands inline, or in the file that is named. */
  readonly document: JsonObject;
  /** The folder of the file it stands in: relative paths in it start there. */
  readonly directory: string;
  /** The names that go with the group of the AdmissionConfiguration: what the plugin asks others is asked by them. */
  readonly names: ShownNames;
}

/** The environment of plugins. */
export interface PluginEnvironment {
  /** Objects of any type. */
  readonly objects: ObjectSource;
  readonly namespaces: NamespaceSource;
  /** All types, those that are defined by objects too. */
  readonly registry: LiveTypeRegistry;
  readonly webhookDispatch: WebhookDispatchService;
  /** Of this plugin; undefined when there is none. */
  readonly configuration: PluginConfiguration | undefined;
  readonly settings: PluginSettings;
  readonly metrics: AdmissionMetrics;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
