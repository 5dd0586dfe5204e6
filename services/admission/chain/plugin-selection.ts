import { FlagError } from '@binnacle/flags';
import type { PluginOptions } from './plugin-flags.ts';
import type { PluginRegistration } from './plugin-registration.ts';

/**
 * Selects the plugins that run, in the order of registration. Throws a FlagError for unknown names, and for names both enabled and
 * disabled.
 */
export function selectPlugins<T extends Pick<PluginRegistration, 'name' | 'byDefault'>>(
  registered: readonly T[],
  flags: Pick<PluginOptions, 'enableAdmissionPlugins' | 'disableAdmissionPlugins'>,
): readonly T[] {
  const { enableAdmissionPlugins: enabled, disableAdmissionPlugins: disabled } = flags;
  const names = new Set(registered.map(({ name }) => name));
  for (const name of [...enabled, ...disabled]) {
    if (!names.has(name)) throw unknownPlugin(name, names);
    if (enabled.includes(name) && disabled.includes(name))
      throw new FlagError(`admission plugin ${name} is both enabled and disabled`);
  }
  return registered.filter(({ name, byDefault }) =>
    byDefault ? !disabled.includes(name) : enabled.includes(name),
  );
}

/** Creates the error for a name that no plugin has. */
export function unknownPlugin(name: string, names: Iterable<string>): FlagError {
  return new FlagError(
    `unknown admission plugin ${JSON.stringify(name)}; there are: ${[...names].join(', ')}`,
  );
}
