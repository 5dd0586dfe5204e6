import { readConfigFile } from './config-file.ts';
import { booleanFlag, flagGroup, stringFlag } from './flag.ts';
import {
  type Environment,
  environmentSource,
  type FlagSpec,
  type FlagValues,
  readArguments,
  readFlags,
  TextRequested,
} from './parse-flags.ts';

/** How the flags themselves are given: every service has these. */
export const flagSourceFlags = flagGroup('Configuration', {
  config: stringFlag({
    description: 'YAML file of flags by name (history-window: 5m); arguments and environment win over it.',
  }),
  validateConfig: {
    ...booleanFlag({
      description: 'Reads flags and the files that they name, says whether they are valid, and ends.',
    }),
    defaultText: '',
    // Variables of these names are used by others.
    isArgumentOnly: true,
  },
  version: {
    ...booleanFlag({ description: 'Shows the version and ends.' }),
    defaultText: '',
    isArgumentOnly: true,
  },
});

/** The flags of a service as they were given. */
type ServiceFlagValues<Spec extends FlagSpec> = FlagValues<Spec> & {
  /** The service ends before it connects to anything, or listens: `endIfValidating`. */
  readonly validateConfig: boolean;
};

interface GivenFlags {
  readonly argv?: readonly string[];
  readonly env?: Environment;
  /** The text that `--version` shows. */
  readonly version: string;
}

/**
 * Reads the flags of a service: from its arguments, then from the environment, then from the file of `--config`, and else their
 * defaults. Refuses as `parseFlags` does; throws `TextRequested` for `--help` and `--version`.
 */
export function parseServiceFlags<Spec extends FlagSpec>(
  spec: Spec,
  { argv = process.argv.slice(2), env = process.env, version }: GivenFlags,
): ServiceFlagValues<Spec> {
  const args = readArguments({ ...spec, ...flagSourceFlags }, argv);
  const environment = environmentSource(env);
  const { validateConfig, version: isVersionAsked } = readFlags(flagSourceFlags, [args]);
  if (isVersionAsked) throw new TextRequested(version);
  const { config } = readFlags({ config: flagSourceFlags.config }, [args, environment]);
  const file = config === undefined ? [] : [readConfigFile(config, spec)];
  return { ...readFlags(spec, [args, environment, ...file]), validateConfig };
}

/** Ends the start of a service whose flags, and the files that they name, were only to be read. */
export function endIfValidating({ validateConfig }: { readonly validateConfig: boolean }): void {
  if (validateConfig) throw new TextRequested('the configuration is valid');
}
