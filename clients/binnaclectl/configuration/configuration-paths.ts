import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { type ConfigurationFiles, clientConfigurationPaths, readConfigurationFiles } from '@binnacle/client';
import { CommandError } from '../output/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The file of `--kubeconfig`, which must exist, or those that `KUBECONFIG` lists, or `~/.kube/config`. */
export function configurationPaths(given: string | undefined, env: Environment): readonly string[] {
  if (given === undefined) return clientConfigurationPaths(env, env['HOME'] ?? homedir());
  if (!existsSync(given)) throw new CommandError(`stat ${given}: no such file or directory`);
  return [given];
}

/** The files of a user's client configuration, for commands that show or change them. */
export function configurationFiles(given: string | undefined, env: Environment): ConfigurationFiles {
  return readConfigurationFiles(configurationPaths(given, env), { mayBeMissing: true });
}
