import { FlagError } from '@binnacle/service-kit';
import type { AdmissionPlugin } from './plugin.ts';

/** The names of the plugins that are switched on and off, beyond the defaults. */
export interface PluginSelection {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** A plugin with whether it runs unless it is switched off. */
export interface OfferedPlugin {
  readonly plugin: AdmissionPlugin;
  readonly byDefault: boolean;
}

/** The plugins that run, in their own order. Throws a FlagError for names that no plugin has, or that are both on and off. */
export function selectPlugins(
  offered: readonly OfferedPlugin[],
  selection: PluginSelection,
): readonly AdmissionPlugin[] {
  const { enabled, disabled } = selection;
  const names = new Set(offered.map(({ plugin }) => plugin.name));
  for (const name of [...enabled, ...disabled]) {
    if (!names.has(name))
      throw new FlagError(
        `unknown admission plugin ${JSON.stringify(name)}; there are: ${[...names].join(', ')}`,
      );
    if (enabled.includes(name) && disabled.includes(name))
      throw new FlagError(`admission plugin ${name} is both enabled and disabled`);
  }
  return offered
    .filter(({ plugin, byDefault }) =>
      byDefault ? !disabled.includes(plugin.name) : enabled.includes(plugin.name),
    )
    .map(({ plugin }) => plugin);
}
