import { typeOfKind } from '../discovery/resolve-type.ts';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { createPlace, type Place } from './place.ts';
import type { Manifest } from './read-manifests.ts';

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
  return createPlace(type, namespace || session.namespace, name);
}
