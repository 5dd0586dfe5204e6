// Written by `make generate` from the proto files. Change those.

import type { TypedLocalObjectReference } from '../core/v1.ts';
import type { Condition, LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** HTTPIngressPath describes one httpingress path. */
export type HTTPIngressPath = {
  /** The path. */
  path?: string;
  /** The path type. */
  pathType?: 'Exact' | 'Prefix' | 'ImplementationSpecific';
  /** The backend. */
  backend?: IngressBackend;
};

/** HTTPIngressRuleValue describes one httpingress rule value. */
export type HTTPIngressRuleValue = {
  /** The list of paths. */
  paths?: HTTPIngressPath[] | null;
};

/** IPBlock describes one ipblock. */
export type IPBlock = {
  /** The cidr. */
  cidr?: string;
  /** The list of except. */
  except?: string[];
};

/** Ingress is an object of the networking group. */
export type Ingress = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: IngressSpec;
  /** The observed state, written by the system. */
  status?: IngressStatus;
};

/** IngressBackend describes one ingress backend. */
export type IngressBackend = {
  /** The service. */
  service?: IngressServiceBackend;
  /** The resource. */
  resource?: TypedLocalObjectReference;
};

/** IngressClass is an object of the networking group. */
export type IngressClass = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: IngressClassSpec;
};

/** IngressClassList is a list of IngressClass objects. */
export type IngressClassList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: IngressClass[] | null;
};

/** IngressClassParametersReference describes one ingress class parameters reference. */
export type IngressClassParametersReference = {
  /** The API group of the object; the core group when empty. */
  apiGroup?: string;
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The scope. */
  scope?: string;
  /** The namespace of the object. */
  namespace?: string;
};

/** IngressClassSpec is the desired state of a ingress class. */
export type IngressClassSpec = {
  /** The controller. */
  controller?: string;
  /** The parameters. */
  parameters?: IngressClassParametersReference;
};

/** IngressList is a list of Ingress objects. */
export type IngressList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Ingress[] | null;
};

/** IngressLoadBalancerIngress describes one ingress load balancer ingress. */
export type IngressLoadBalancerIngress = {
  /** The ip. */
  ip?: string;
  /** The hostname. */
  hostname?: string;
  /** The list of ports. */
  ports?: IngressPortStatus[];
};

/** IngressLoadBalancerStatus is the observed state of a ingress load balancer. */
export type IngressLoadBalancerStatus = {
  /** The list of ingress. */
  ingress?: IngressLoadBalancerIngress[];
};

/** IngressPortStatus is the observed state of a ingress port. */
export type IngressPortStatus = {
  /** The port number. */
  port?: number;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The error. */
  error?: string;
};

/** IngressRule describes one ingress rule. */
export type IngressRule = {
  /** The host. */
  host?: string;
  /** The http. */
  http?: HTTPIngressRuleValue;
};

/** IngressRuleValue describes one ingress rule value. */
export type IngressRuleValue = {
  /** The http. */
  http?: HTTPIngressRuleValue;
};

/** IngressServiceBackend describes one ingress service backend. */
export type IngressServiceBackend = {
  /** The name of the object. */
  name?: string;
  /** The port number. */
  port?: ServiceBackendPort;
};

/** IngressSpec is the desired state of a ingress. */
export type IngressSpec = {
  /** The ingress class name. */
  ingressClassName?: string;
  /** The default backend. */
  defaultBackend?: IngressBackend;
  /** The list of tls. */
  tls?: IngressTLS[];
  /** The list of rules. */
  rules?: IngressRule[];
};

/** IngressStatus is the observed state of a ingress. */
export type IngressStatus = {
  /** The load balancer. */
  loadBalancer?: IngressLoadBalancerStatus;
};

/** IngressTLS describes one ingress tls. */
export type IngressTLS = {
  /** The list of hosts. */
  hosts?: string[];
  /** The secret name. */
  secretName?: string;
};

/** NetworkPolicy is an object of the networking group. */
export type NetworkPolicy = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: NetworkPolicySpec;
  /** The observed state, written by the system. */
  status?: NetworkPolicyStatus;
};

/** NetworkPolicyEgressRule describes one network policy egress rule. */
export type NetworkPolicyEgressRule = {
  /** The list of ports. */
  ports?: NetworkPolicyPort[];
  /** The list of to. */
  to?: NetworkPolicyPeer[];
};

/** NetworkPolicyIngressRule describes one network policy ingress rule. */
export type NetworkPolicyIngressRule = {
  /** The list of ports. */
  ports?: NetworkPolicyPort[];
  /** The list of from. */
  from?: NetworkPolicyPeer[];
};

/** NetworkPolicyList is a list of NetworkPolicy objects. */
export type NetworkPolicyList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: NetworkPolicy[] | null;
};

/** NetworkPolicyPeer describes one network policy peer. */
export type NetworkPolicyPeer = {
  /** The pod selector. */
  podSelector?: LabelSelector;
  /** Labels that select the namespaces concerned. */
  namespaceSelector?: LabelSelector;
  /** The ip block. */
  ipBlock?: IPBlock;
};

/** NetworkPolicyPort describes one network policy port. */
export type NetworkPolicyPort = {
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The port number. */
  port?: number | string;
  /** The end port. */
  endPort?: number;
};

/** NetworkPolicySpec is the desired state of a network policy. */
export type NetworkPolicySpec = {
  /** The pod selector. */
  podSelector?: LabelSelector;
  /** The list of ingress. */
  ingress?: NetworkPolicyIngressRule[];
  /** The list of egress. */
  egress?: NetworkPolicyEgressRule[];
  /** The list of policy types. */
  policyTypes?: ('Ingress' | 'Egress')[];
};

/** NetworkPolicyStatus is the observed state of a network policy. */
export type NetworkPolicyStatus = {
  /** Aspects of the current state. */
  conditions?: Condition[];
};

/** ServiceBackendPort describes one service backend port. */
export type ServiceBackendPort = {
  /** The name of the object. */
  name?: string;
  /** The number. */
  number?: number;
};
