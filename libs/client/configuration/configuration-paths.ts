import { delimiter, join } from 'node:path';

/**
 * Returns the default configuration files of a command-line client: those in the variable `KUBECONFIG`, else
 * `.kube/config` in the home folder.
 */
export function clientConfigurationPaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter(path => path !== '');
  return listed.length > 0 ? listed : [join(home, '.kube', 'config')];
}
