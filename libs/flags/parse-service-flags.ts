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

/** Flags about the configuration itself, which every service has. */
export const flagSourceFlags = flagGroup('Configuration', {
  config: stringFlag({
    description: 'YAML file of flags by name (history-window: 5m); arguments and environment win over it.',
  }),
  validateConfig: {
    ...booleanFlag({
      description: 'Validation of the flags and the files that they name, after which the program exits.',
    }),
    defaultText: '',
    // Environment variables of this name may have another meaning.
    isArgumentOnly: true,
  },
  version: {
    ...booleanFlag({ description: 'Version of the program, after which it exits.' }),
    defaultText: '',
    isArgumentOnly: true,
  },
});

/** The flags of a service. */
type ServiceFlagValues<Spec extends FlagSpec> = FlagValues<Spec> & {
  /** Whether the service exits before it connects or listens: `endIfValidating`. */
  readonly validateConfig: boolean;
};

interface GivenFlags {
  readonly argv?: readonly string[];
  readonly env?: Environment;
  /** The text that `--version` prints. */
  readonly version: string;
}

/**
 * Reads the flags of a service from its arguments, then the environment, then the file of `--config`. Throws as
 * `parseFlags` does, and `TextRequested` for `--help` and `--version`.
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

/** Ends the start of a service with `--validate-config`, after its flags and their files have been read. */
export function endIfValidating({ validateConfig }: { readonly validateConfig: boolean }): void {
  if (validateConfig) throw new TextRequested('the configuration is valid');
}
