import { type Flag, listFlag } from '@binnacle/flags';

/** The controllers that can be chosen, by the names that kube-controller-manager has for them. */
export const controllerNames = [
  'bootstrapsigner',
  'clusterrole-aggregation',
  'endpoint',
  'endpointslice',
  'garbagecollector',
  'namespace',
  'pv-protection',
  'pvc-protection',
  'resourcequota',
  'root-ca-cert-publisher',
  'serviceaccount',
  'serviceaccount-token',
  'tokencleaner',
] as const;

/** The name of a controller. */
export type ControllerName = (typeof controllerNames)[number];

/** The controllers that run only where they are named: "*" does not include them. */
const offByDefault: ReadonlySet<ControllerName> = new Set(['bootstrapsigner', 'tokencleaner']);

/** Creates the flag `--controllers`. */
export function controllersFlag(): Flag<ReadonlySet<ControllerName>> {
  const description = `Controllers to run: "*" is all that are on by default, "foo" the one named foo, "-foo" all but that one. The controllers are ${controllerNames.join(', ')}; off by default are ${[...offByDefault].join(', ')}. Definitions of custom resources are always served.`;
  const { parse, ...flag } = listFlag({ description, default: ['*'] });
  return { ...flag, defaultValue: chosenControllers(['*']), parse: texts => chosenControllers(parse(texts)) };
}

/**
 * Selects the controllers by a list, as kube-controller-manager does: the first item that names a controller decides, "*" enables the
 * others except those that are off by default. Throws an Error for an unknown name.
 */
export function chosenControllers(list: readonly string[]): ReadonlySet<ControllerName> {
  const unknown = list.find(item => item !== '*' && !isControllerName(item.replace(/^-/, '')));
  if (unknown !== undefined)
    throw new Error(
      `${JSON.stringify(unknown)} is not in the list of known controllers: ${controllerNames.join(', ')}`,
    );
  const isChosen = (name: ControllerName): boolean => {
    const first = list.find(item => item === name || item === `-${name}`);
    return first === undefined ? list.includes('*') && !offByDefault.has(name) : first === name;
  };
  return new Set(controllerNames.filter(isChosen));
}

function isControllerName(text: string): text is ControllerName {
  return (controllerNames as readonly string[]).includes(text);
}
