import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/definitions.ts';
import {
  ageColumn,
  ageOf,
  column,
  joinedOrNone,
  nameColumn,
  nameOf,
  wideColumn,
} from '../printing/columns.ts';
import { asNumber, asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { portsOf, specOf } from './service-facts.ts';

/** The columns of services. */
export const serviceColumns: readonly TableColumn[] = [
  nameColumn,
  column('Type', 'How the service is made reachable.'),
  column('Cluster-IP', 'The address inside the cluster.'),
  column('External-IP', 'The addresses or the name for clients outside the cluster.'),
  column('Port(s)', 'Ports, with the node port where there is one, and protocols.'),
  ageColumn,
  wideColumn('Selector', 'The labels of the pods that answer.'),
];

/** The cells under `serviceColumns`. */
export function serviceCells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  return [
    nameOf(object),
    asText(spec['type']),
    asTexts(spec['clusterIPs'])[0] ?? (asText(spec['clusterIP']) || '<none>'),
    externalAddress(object, spec),
    joinedOrNone(portsOf(spec).map(portText)),
    ageOf(object, now),
    joinedOrNone(
      Object.entries(asObject(spec['selector']) ?? {})
        .map(([key, value]) => `${key}=${asText(value)}`)
        .sort(),
    ),
  ];
}

function externalAddress(object: ApiObject, spec: JsonObject): string {
  const externalIPs = asTexts(spec['externalIPs']);
  if (spec['type'] === 'ExternalName') return asText(spec['externalName']);
  if (spec['type'] !== 'LoadBalancer') return joinedOrNone(externalIPs);
  const loadBalancer = asObject(asObject(object['status'])?.['loadBalancer']);
  const balanced = asObjects(loadBalancer?.['ingress']).map(
    ingress => asText(ingress['ip']) || asText(ingress['hostname']),
  );
  const all = [...balanced, ...externalIPs];
  return all.length === 0 ? '<pending>' : all.join(',');
}

function portText(port: JsonObject): string {
  const nodePort = asNumber(port['nodePort']);
  const number = asNumber(port['port']);
  return `${nodePort === 0 ? number : `${number}:${nodePort}`}/${asText(port['protocol'])}`;
}
