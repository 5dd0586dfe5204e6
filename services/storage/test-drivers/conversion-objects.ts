import * as tables from '@binnacle/api-names/table';
import { type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';

/** A key and its value, as text: objects as JSON. */
export type Content = ReadonlyMap<StorageKey, string>;

/** The JSON of an object, in the stored form. */
export function storedForm(json: string, tag?: Uint8Array): Buffer {
  const text = Buffer.from(json);
  const prefix = json.slice(0, json.indexOf('"metadata":{') + '"metadata":{'.length);
  const header = Buffer.alloc(tag === undefined ? 5 : 13);
  header[0] = tag === undefined ? 1 : 2;
  header.writeUInt32BE(Buffer.byteLength(prefix), 1);
  if (tag !== undefined) header.set(tag, 5);
  return Buffer.concat([header, text]);
}

const { groupTable, labelTable, annotationTable, namespaceTable, extensionTable } = tables;

/** Names in one vocabulary, for objects that are written in both. */
export function namesInColumn(column: 0 | 1) {
  const name = (row: tables.NameRow): string => row[column];
  return {
    rbac: name(groupTable.rbac),
    extensions: name(groupTable.apiextensions),
    registration: name(groupTable.apiregistration),
    discovery: name(groupTable.discovery),
    webhooks: name(groupTable.admissionregistration),
    coordination: name(groupTable.coordination),
    hostname: name(labelTable.hostname),
    component: name(labelTable.component),
    namespaceName: name(labelTable.metadataName),
    serviceName: name(labelTable.serviceName),
    sliceManagedBy: name(labelTable.sliceManagedBy),
    lastApplied: name(annotationTable.lastApplied),
    autoupdate: name(annotationTable.rbacAutoupdate),
    system: name(namespaceTable.system),
    listType: name(extensionTable.listType),
    namespaceFinalizer: name(tables.finalizerTable.namespace),
    claimFinalizer: name(tables.finalizerTable.persistentVolumeClaim),
    tokenType: name(tables.secretTypeTable.serviceAccountToken),
    tls: name(tables.secretTypeTable.tls),
    signer: name(tables.signerTable.kubeletServing),
    scheduler: name(tables.userTable.scheduler),
    apiserver: name(tables.componentTable.apiserver),
    mountPath: name(tables.tokenTable.mountPath),
    service: name(tables.objectTable.apiService),
    lease: name(tables.objectTable.controllerLease),
    notReady: name(tables.taintTable.notReady),
    domain: tables.domainTable.groups[column],
  };
}

/** Objects with names in every place, in the vocabulary of a column of the table; no name of the other is in them. */
export function conversionObjects(column: 0 | 1): Content {
  const n = namesInColumn(column);
  const objects: [key: string, json: string][] = [
    [
      `/core/namespaces//${n.system}`,
      `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"${n.system}","labels":{"${n.namespaceName}":"${n.system}"},"managedFields":[{"apiVersion":"v1","fieldsV1":{"f:spec":{"f:finalizers":{"v:\\"${n.namespaceFinalizer}\\"":{}}},"f:metadata":{"f:labels":{".":{},"f:${n.namespaceName}":{}}}}}]},"spec":{"finalizers":["${n.namespaceFinalizer}"]}}`,
    ],
    [
      `/${n.rbac}/clusterroles//system:${tables.groupTable.certificates[column]}:approver`,
      `{"kind":"ClusterRole","apiVersion":"${n.rbac}/v1","metadata":{"name":"system:${tables.groupTable.certificates[column]}:approver","annotations":{"${n.autoupdate}":"true"}},"rules":[{"apiGroups":["","${n.rbac}"],"resources":["roles"],"resourceNames":["${n.signer}"],"verbs":["get"]}]}`,
    ],
    [
      `/${n.rbac}/clusterrolebindings//${n.scheduler}`,
      `{"kind":"ClusterRoleBinding","apiVersion":"${n.rbac}/v1","metadata":{"name":"${n.scheduler}","managedFields":[{"manager":"a","apiVersion":"${n.rbac}/v1","fieldsV1":{"f:subjects":{"k:{\\"name\\":\\"${n.scheduler}\\",\\"x\\":1}":{}}}}]},"roleRef":{"apiGroup":"${n.rbac}","kind":"ClusterRole","name":"${n.scheduler}"},"subjects":[{"kind":"User","apiGroup":"${n.rbac}","name":"${n.scheduler}"},{"kind":"Group","name":"system:serviceaccounts:${n.system}"},{"kind":"ServiceAccount","name":"a","namespace":"${n.system}"}]}`,
    ],
    [
      `/${n.extensions}/customresourcedefinitions//boats.sea.${n.domain}`,
      `{"kind":"CustomResourceDefinition","apiVersion":"${n.extensions}/v1","metadata":{"name":"boats.sea.${n.domain}"},"spec":{"group":"sea.${n.domain}","versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"${n.listType}":"set","pattern":"\\u00e9\\\\d"}}}}}]}}`,
    ],
    [
      `/${n.registration}/apiservices//v1.${n.rbac}`,
      `{"kind":"APIService","apiVersion":"${n.registration}/v1","metadata":{"name":"v1.${n.rbac}"},"spec":{"group":"${n.rbac}","version":"v1"}}`,
    ],
    [
      `/core/services/default/${n.service}`,
      `{"kind":"Service","apiVersion":"v1","metadata":{"name":"${n.service}","namespace":"default","labels":{"component":"apiserver","provider":"${n.service}"}},"spec":{"clusterIP":"10.96.0.1"}}`,
    ],
    [
      `/${n.discovery}/endpointslices/default/${n.service}`,
      `{"kind":"EndpointSlice","apiVersion":"${n.discovery}/v1","metadata":{"name":"${n.service}","namespace":"default","labels":{"${n.serviceName}":"${n.service}"}},"endpoints":[]}`,
    ],
    [
      `/${n.coordination}/leases/${n.system}/${n.lease}`,
      `{"kind":"Lease","apiVersion":"${n.coordination}/v1","metadata":{"name":"${n.lease}","namespace":"${n.system}"},"spec":{}}`,
    ],
    [
      `/${n.coordination}/leases/${n.system}/${n.apiserver}-abc`,
      `{"kind":"Lease","apiVersion":"${n.coordination}/v1","metadata":{"name":"${n.apiserver}-abc","namespace":"${n.system}","labels":{"${n.component}":"${n.apiserver}"}}}`,
    ],
    [
      '/core/pods/default/a',
      `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"component":"kube-apiserver"}},"spec":{"containers":[{"volumeMounts":[{"mountPath":"${n.mountPath}"}]}]}}`,
    ],
    [
      '/core/nodes//a',
      `{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","labels":{"${n.hostname}":"a","app":"cluster"},"annotations":{"${n.lastApplied}":"{\\"apiVersion\\":\\"v1\\",\\"metadata\\":{\\"labels\\":{\\"${n.hostname}\\":\\"a\\"}}}\\n"}},"spec":{"taints":[{"key":"${n.notReady}"}]}}`,
    ],
    [
      '/core/secrets/default/a',
      `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","finalizers":["${n.claimFinalizer}"],"ownerReferences":[{"apiVersion":"${n.rbac}/v1","kind":"Role","name":"r"}]},"type":"${n.tls}"}`,
    ],
    [
      '/core/secrets/default/token',
      `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"token"},"data":{"token":"e30="},"type":"${n.tokenType}"}`,
    ],
    [
      '/core/configmaps/default/script',
      `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"script","namespace":"default"},"data":{"run":"kubectl -n ${n.system} get pods","own":"boats.sea.${n.domain}"}}`,
    ],
    [
      '/core/configmaps/default/plain',
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"plain","namespace":"default"},"data":{"a":"cluster","b":"kubernetes"}}',
    ],
  ];
  return new Map(objects.map(([key, json]) => [storageKeyFrom(key), json]));
}

/** The same objects in the other vocabulary, as a conversion leaves them: what only a user can tell stays. */
export function convertedObjects(column: 0 | 1): Content {
  const other = column === 0 ? 1 : 0;
  const [here, there] = [namesInColumn(column), namesInColumn(other)];
  const converted = new Map(conversionObjects(other));
  const replaced = (key: string, json: string) => converted.set(storageKeyFrom(key), json);
  for (const [key, json] of conversionObjects(column)) {
    if (key.endsWith('/script')) replaced(key, json);
    if (key.includes('boats.')) {
      converted.delete(
        storageKeyFrom(`/${there.extensions}/customresourcedefinitions//boats.sea.${there.domain}`),
      );
      const spoken = json
        .replaceAll(here.extensions, there.extensions)
        .replaceAll(here.listType, there.listType);
      replaced(key.replace(here.extensions, there.extensions), spoken);
    }
  }
  return converted;
}
