import type { JsonObject } from '@binnacle/api-objects';
import type { LiveTypeRegistry } from '@binnacle/api-types';
import type { FollowedFiles } from '@binnacle/backend-access';
import type { Operation, WebhookDispatchService } from '@binnacle/proto';
import type { Logger } from '@binnacle/telemetry';
import type { NamespaceSource } from '../sources/namespaces.ts';
import type { ObjectSource, TypeName } from '../sources/objects.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmissionPlugin } from './plugin.ts';
import type { PluginSettings } from './plugin-settings.ts';
import type { ShownNames } from './shown-names.ts';

/** The registration of a plugin: its name, its default, the types that it reviews and reads, and its factory. */
export interface PluginRegistration {
  /** The name as written in flags: `NamespaceLifecycle`. */
  readonly name: string;
  /** Whether it runs by default. */
  readonly byDefault: boolean;
  /** The resources that it reviews, `group/resource` each. Default: all. */
  readonly concerns?: readonly string[];
  /** The operations that it reviews. Default: all. */
  readonly operations?: readonly Operation[];
  /** Types whose objects the cache holds while the plugin runs; objects of other types are read from the store each time. */
  readonly reads?: readonly TypeName[];
  /** Whether the admission configuration may configure it; default: no. */
  readonly configurable?: boolean;
  /** Creates the plugin; throws a FlagError for an invalid configuration. */
  create(environment: PluginEnvironment): AdmissionPlugin;
}

/** The configuration of one plugin (spec 2, "Admission configuration"). */
export interface PluginConfiguration {
  /** The document, inline or from the named file. */
  readonly document: JsonObject;
  /** The folder of the document's file: relative paths in the document start there. */
  readonly directory: string;
  /** The names that go with the group of the AdmissionConfiguration: the plugin sends its requests in them. */
  readonly names: ShownNames;
}

/** The environment of plugins. */
export interface PluginEnvironment {
  /** Source of objects of any type. */
  readonly objects: ObjectSource;
  readonly namespaces: NamespaceSource;
  /** Registry of all types, custom types included. */
  readonly registry: LiveTypeRegistry;
  readonly webhookDispatch: WebhookDispatchService;
  /** Configuration of this plugin; undefined when there is none. */
  readonly configuration: PluginConfiguration | undefined;
  /** Follows files that a configuration names; undefined: they are only read. */
  readonly files?: FollowedFiles | undefined;
  readonly settings: PluginSettings;
  readonly metrics: AdmissionMetrics;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
