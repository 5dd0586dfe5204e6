import { admissionregistrationV1 } from './admissionregistration/resources.ts';
import { coordinationV1 } from './coordination/resources.ts';
import { coreV1 } from './core/resources.ts';
import { rbacV1 } from './rbac/resources.ts';
import type { GroupVersionDeclaration } from './resource-declaration.ts';

/** Every group and version whose resources are built in. */
export const groupVersions: readonly GroupVersionDeclaration[] = [
  coreV1,
  rbacV1,
  admissionregistrationV1,
  coordinationV1,
];
