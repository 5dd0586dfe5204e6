// Written by `make generate` from the proto files. Change those.

import type { ObjectReference } from '../core/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Endpoint describes one endpoint. */
export type Endpoint = {
  /** The list of addresses. */
  addresses?: string[] | null;
  /** Aspects of the current state. */
  conditions?: EndpointConditions;
  /** The hostname. */
  hostname?: string;
  /** The target ref. */
  targetRef?: ObjectReference;
  /** The deprecated topology, by key. */
  deprecatedTopology?: { [key: string]: string };
  /** The name of the node. */
  nodeName?: string;
  /** The zone. */
  zone?: string;
  /** The hints. */
  hints?: EndpointHints;
};

/** EndpointConditions describes one endpoint conditions. */
export type EndpointConditions = {
  /** Whether ready applies. */
  ready?: boolean;
  /** Whether serving applies. */
  serving?: boolean;
  /** Whether terminating applies. */
  terminating?: boolean;
};

/** EndpointHints describes one endpoint hints. */
export type EndpointHints = {
  /** The list of for zones. */
  forZones?: ForZone[];
};

/** EndpointPort describes one endpoint port. */
export type EndpointPort = {
  /** The name of the object. */
  name?: string;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The port number. */
  port?: number;
  /** The protocol spoken on the port, as a registered service name or with a domain prefix. */
  appProtocol?: string;
};

/** EndpointSlice is an object of the discovery group. */
export type EndpointSlice = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The address type. */
  addressType?: 'IPv4' | 'IPv6' | 'FQDN';
  /** The list of endpoints. */
  endpoints?: Endpoint[] | null;
  /** The list of ports. */
  ports?: EndpointPort[] | null;
};

/** EndpointSliceList is a list of EndpointSlice objects. */
export type EndpointSliceList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: EndpointSlice[] | null;
};

/** ForZone describes one for zone. */
export type ForZone = {
  /** The name of the object. */
  name?: string;
};
