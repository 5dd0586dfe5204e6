import { typeOfKind } from '../discovery/resolve-type.ts';
import { type ResourceType, resourcePath } from '../discovery/resource-type.ts';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import type { Manifest } from './read-manifests.ts';

/** The place of a file's object on the server. */
interface Place {
  readonly type: ResourceType;
  readonly path: string;
}

/** Finds the type of a file's object, asking the server anew for a type that has come since, and the namespace. */
export async function locateManifest(session: Session, manifest: Manifest): Promise<Place> {
  const { apiVersion, kind, name, namespace, source } = manifest;
  let type = await typeOfKind(session.discovery, apiVersion, kind);
  if (type === undefined) {
    session.discovery.forget();
    type = await typeOfKind(session.discovery, apiVersion, kind);
  }
  if (type === undefined)
    throw new CommandError(
      `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  if (type.namespaced && session.namespaceIsGiven && namespace !== '' && namespace !== session.namespace)
    throw new CommandError(
      `the namespace from the provided object "${namespace}" does not match the namespace "${session.namespace}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  return {
    type,
    path: resourcePath(type, type.namespaced ? namespace || session.namespace : undefined, name),
  };
}
