import type { JsonValue } from '@binnacle/api-objects';
import type { TableColumn } from '../../definitions/kind-rules.ts';
import type { Service, ServicePort } from '../../generated/core/v1.ts';
import {
  ageCell,
  ageColumn,
  column,
  joinedOrNone,
  nameCell,
  nameColumn,
  wideColumn,
} from '../../printing/columns.ts';
import { readPorts } from './service-facts.ts';

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
export function serviceCells(service: Service, now: number): JsonValue[] {
  const { spec = {} } = service;
  return [
    nameCell(service),
    spec.type ?? '',
    spec.clusterIPs?.[0] ?? (spec.clusterIP || '<none>'),
    externalAddress(service),
    joinedOrNone(readPorts(spec).map(portText)),
    ageCell(service, now),
    joinedOrNone(
      Object.entries(spec.selector ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .sort(),
    ),
  ];
}

function externalAddress({ spec = {}, status }: Service): string {
  const externalIPs = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  if (spec.type !== 'LoadBalancer') return joinedOrNone(externalIPs);
  const balanced = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip || hostname);
  const all = [...balanced, ...externalIPs];
  return all.length === 0 ? '<pending>' : all.join(',');
}

function portText(port: ServicePort): string {
  const nodePort = port.nodePort ?? 0;
  const number = port.port ?? 0;
  return `${nodePort === 0 ? number : `${number}:${nodePort}`}/${port.protocol ?? ''}`;
}
