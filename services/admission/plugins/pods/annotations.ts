import type { ObjectMeta } from '@binnacle/api-objects';

/** An annotation by its name without the domain (`/config.mirror`), or the name that existing clients use; undefined: none. */
export function annotationOf(
  { annotations = {} }: ObjectMeta,
  name: string,
  subdomain = '',
): string | undefined {
  return annotations[`${subdomain}cluster.io/${name}`] ?? annotations[`${subdomain}kubernetes.io/${name}`];
}

/** The values of an annotation under its two names: each of them counts for something that a pod may not have. */
export function annotationValues({ annotations = {} }: ObjectMeta, name: string, subdomain = ''): string[] {
  return ['cluster.io', 'kubernetes.io'].flatMap(
    domain => annotations[`${subdomain}${domain}/${name}`] ?? [],
  );
}

/** Whether an annotation's text means yes, in any of the forms that existing clients use. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}
