/**
 * The names of the API in the vocabulary of this process. `groups.networking` is the name that it writes; where a client may use
 * either, `understood.labels.role` has the aliases that are understood, the own one first.
 */
import { aliasesOf, namesOf } from './names-of.ts';
import * as table from './table/index.ts';

export { type Vocabulary, vocabularies, vocabulary } from './vocabulary.ts';

export const groups = namesOf(table.groupTable);
export const labels = namesOf(table.labelTable);
export const annotations = namesOf(table.annotationTable);
export const auditKeys = namesOf(table.auditTable);
export const finalizers = namesOf(table.finalizerTable);
export const taints = namesOf(table.taintTable);
export const secretTypes = namesOf(table.secretTypeTable);
export const signers = namesOf(table.signerTable);
export const domains = namesOf(table.domainTable);
export const words = namesOf(table.wordTable);
export const namespaces = namesOf(table.namespaceTable);
export const components = namesOf(table.componentTable);
export const objects = namesOf(table.objectTable);
export const roles = namesOf(table.roleTable);
export const users = namesOf(table.userTable);
export const serviceUsers = namesOf(table.serviceUserTable);
export const userExtras = namesOf(table.userExtraTable);
export const tokens = namesOf(table.tokenTable);
export const variables = namesOf(table.variableTable);
export const documentExtensions = namesOf(table.documentExtensionTable);
export const mediaTypes = namesOf(table.mediaTypeTable);
export const protocols = namesOf(table.protocolTable);
/** The beginnings of the names of published schemas. */
export const schemaNames = namesOf(table.schemaTable);

/**
 * The extensions of schemas. They are fields of `JSONSchemaProps`, whose type has the names of `cluster`: so have these, whatever they
 * are at run time.
 */
export const extensions = namesOf(table.extensionTable) as {
  readonly [Key in keyof typeof table.extensionTable]: (typeof table.extensionTable)[Key][0];
};

/** The aliases that are understood: under `cluster` both, under `kubernetes` the one. */
export const understood = {
  groups: aliasesOf(table.groupTable),
  labels: aliasesOf(table.labelTable),
  annotations: aliasesOf(table.annotationTable),
  finalizers: aliasesOf(table.finalizerTable),
  taints: aliasesOf(table.taintTable),
  secretTypes: aliasesOf(table.secretTypeTable),
  signers: aliasesOf(table.signerTable),
  domains: aliasesOf(table.domainTable),
  words: aliasesOf(table.wordTable),
  namespaces: aliasesOf(table.namespaceTable),
  users: aliasesOf(table.userTable),
  userExtras: aliasesOf(table.userExtraTable),
  tokens: aliasesOf(table.tokenTable),
  variables: aliasesOf(table.variableTable),
  documentExtensions: aliasesOf(table.documentExtensionTable),
  extensions: aliasesOf(table.extensionTable),
  mediaTypes: aliasesOf(table.mediaTypeTable),
  protocols: aliasesOf(table.protocolTable),
} as const;
