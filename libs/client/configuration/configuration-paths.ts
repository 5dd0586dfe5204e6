import { delimiter, join } from 'node:path';

/**
 * The files that a command-line client reads by default: those that the variable `KUBECONFIG` lists, or else
 * `.kube/config` in the home folder.
 */
export function clientConfigurationPaths(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter(path => path !== '');
  return listed.length > 0 ? listed : [join(home, '.kube', 'config')];
}
