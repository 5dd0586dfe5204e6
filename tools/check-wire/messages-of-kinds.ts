import { fileURLToPath } from 'node:url';
import { type MessageType, messagesWith } from '@binnacle/api-types';
import { readProtoMessages } from '../generate-api-types/read-proto-messages.ts';

/** The definitions of versions that are no longer served, where they differ from those that are. */
const retiredDirectory = fileURLToPath(new URL('./retired', import.meta.url));

/** The definitions of all that is served, which they refer to. */
const definitionsDirectory = fileURLToPath(new URL('../../proto/api', import.meta.url));

/** Packages whose remaining messages are on the wire what those of other packages are. */
const equalPackages: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.v1beta1': ['admissionregistration.v1'],
  'apps.v1beta1': ['apps.v1'],
  'apps.v1beta2': ['apps.v1'],
  'authorization.v1beta1': ['authorization.v1'],
  'batch.v1beta1': ['batch.v1'],
  'certificates.v1beta1': ['certificates.v1'],
  'coordination.v1beta1': ['coordination.v1'],
  'discovery.v1beta1': ['discovery.v1'],
  'events.v1beta1': ['events.v1'],
  'extensions.v1beta1': ['apps.v1beta1', 'apps.v1', 'networking.v1beta1', 'networking.v1', 'policy.v1beta1'],
  'flowcontrol.v1alpha1': ['flowcontrol.v1beta3'],
  'flowcontrol.v1beta1': ['flowcontrol.v1beta3'],
  'networking.v1beta1': ['networking.v1'],
  'node.v1beta1': ['node.v1'],
  'policy.v1beta1': ['policy.v1'],
  'rbac.v1alpha1': ['rbac.v1'],
  'rbac.v1beta1': ['rbac.v1'],
  'scheduling.v1alpha1': ['scheduling.v1'],
  'scheduling.v1beta1': ['scheduling.v1'],
  'storage.v1alpha1': ['storage.v1'],
  'storage.v1beta1': ['storage.v1'],
};

/** Kinds such as Status and the options of requests, which every group and version has. */
const everywhere = 'meta.v1';

/** Finds the message of a kind in a group (canonical) and version, served or retired. */
export type MessageOfKind = (group: string, version: string, kind: string) => MessageType | undefined;

/** Reads all definitions. */
export function createMessageOfKind(): MessageOfKind {
  const messages = messagesWith(
    readProtoMessages(retiredDirectory, definitionsDirectory).flatMap(file => file.messages),
  );
  return (group, version, kind) => {
    const own = `${group === '' ? 'core' : group.split('.', 1)[0]}.${version}`;
    for (const name of [own, ...(equalPackages[own] ?? []), everywhere]) {
      const message = messages.get(`${name}.${kind}`);
      if (message !== undefined) return message;
    }
    return undefined;
  };
}
