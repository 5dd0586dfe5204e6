/**
 * The default of the flags for denied networks: cloud metadata services outside the link-local ranges, and NAT64, behind
 * which any IPv4 address can be.
 */
export const defaultDeniedNetworks: readonly string[] = [
  // Azure: the wire server.
  '168.63.129.16/32',
  // Alibaba Cloud.
  '100.100.100.200/32',
  // Oracle Cloud.
  '192.0.0.192/32',
  'fd00:c1::a9fe:a9fe/128',
  // Amazon: metadata, pod credentials, time and DNS.
  'fd00:ec2::/32',
  // Google Cloud.
  'fd20:ce::254/128',
  // Scaleway.
  'fd00:42::42/128',
  // NAT64.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
];
