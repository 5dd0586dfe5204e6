/**
 * The API names in the vocabulary of this process. `groups.networking` is the name that the server writes; where clients may use
 * either vocabulary, `understood.labels.role` lists the accepted names, the server's own first.
 */
import { chooseAliases, chooseNames } from './choose-names.ts';
import * as table from './table/index.ts';

export { type Vocabulary, vocabularies, vocabulary } from './vocabulary.ts';

export const groups = chooseNames(table.groupTable);
export const labels = chooseNames(table.labelTable);
export const annotations = chooseNames(table.annotationTable);
export const auditKeys = chooseNames(table.auditTable);
export const finalizers = chooseNames(table.finalizerTable);
export const taints = chooseNames(table.taintTable);
export const secretTypes = chooseNames(table.secretTypeTable);
export const signers = chooseNames(table.signerTable);
export const domains = chooseNames(table.domainTable);
export const words = chooseNames(table.wordTable);
export const namespaces = chooseNames(table.namespaceTable);
export const components = chooseNames(table.componentTable);
export const objects = chooseNames(table.objectTable);
export const roles = chooseNames(table.roleTable);
export const users = chooseNames(table.userTable);
export const serviceUsers = chooseNames(table.serviceUserTable);
export const userExtras = chooseNames(table.userExtraTable);
export const tokens = chooseNames(table.tokenTable);
export const variables = chooseNames(table.variableTable);
export const documentExtensions = chooseNames(table.documentExtensionTable);
export const mediaTypes = chooseNames(table.mediaTypeTable);
export const protocols = chooseNames(table.protocolTable);
/** Prefixes of the names of published schemas. */
export const schemaNames = chooseNames(table.schemaTable);

/**
 * Schema extensions. They are fields of `JSONSchemaProps`, whose TypeScript type uses the `cluster` names; therefore this type
 * does too, regardless of the names at run time.
 */
export const extensions = chooseNames(table.extensionTable) as {
  readonly [Key in keyof typeof table.extensionTable]: (typeof table.extensionTable)[Key][0];
};

/** The accepted names: under `cluster` those of both vocabularies, under `kubernetes` only its own. */
export const understood = {
  groups: chooseAliases(table.groupTable),
  labels: chooseAliases(table.labelTable),
  annotations: chooseAliases(table.annotationTable),
  finalizers: chooseAliases(table.finalizerTable),
  taints: chooseAliases(table.taintTable),
  secretTypes: chooseAliases(table.secretTypeTable),
  signers: chooseAliases(table.signerTable),
  domains: chooseAliases(table.domainTable),
  words: chooseAliases(table.wordTable),
  namespaces: chooseAliases(table.namespaceTable),
  users: chooseAliases(table.userTable),
  userExtras: chooseAliases(table.userExtraTable),
  tokens: chooseAliases(table.tokenTable),
  variables: chooseAliases(table.variableTable),
  documentExtensions: chooseAliases(table.documentExtensionTable),
  extensions: chooseAliases(table.extensionTable),
  mediaTypes: chooseAliases(table.mediaTypeTable),
  protocols: chooseAliases(table.protocolTable),
} as const;
