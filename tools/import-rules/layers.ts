/**
 * The layers of the repository, lowest first: a package may import packages of lower layers only. Packages of one
 * layer do not import each other.
 */
const layers: readonly (readonly string[])[] = [
  ['@binnacle/proto'],
  ['@binnacle/api-names'],
  ['@binnacle/event-loop'],
  ['@binnacle/build-info'],
  ['@binnacle/telemetry'],
  ['@binnacle/network-filter'],
  ['@binnacle/backend-access'],
  ['@binnacle/status-errors'],
  ['@binnacle/api-objects'],
  ['@binnacle/api-types'],
  ['@binnacle/codecs'],
  ['@binnacle/conversion-webhooks'],
  ['@binnacle/admission-contract'],
  ['@binnacle/patching'],
  ['@binnacle/openapi'],
  ['@binnacle/server-side-apply'],
  ['@binnacle/cel'],
  ['@binnacle/storage-contract'],
  ['@binnacle/kafka'],
  ['@binnacle/watch-cache'],
  ['@binnacle/client'],
  ['@binnacle/tls'],
  ['@binnacle/tokens'],
  ['@binnacle/connections'],
  ['@binnacle/flags'],
  ['@binnacle/rpc'],
  ['@binnacle/tracing'],
  ['@binnacle/service-kit'],
  [
    '@binnacle/gateway',
    '@binnacle/admission',
    '@binnacle/storage',
    '@binnacle/webhook-dispatch',
    '@binnacle/token-review',
    '@binnacle/controller-manager',
  ],
  ['@binnacle/standalone'],
  ['@binnacle/binnaclectl'],
  ['@binnacle/backends'],
  ['@binnacle/compose'],
  ['@binnacle/tools'],
  ['@binnacle/bench'],
  ['@binnacle/tests'],
];

/** Packages that the tests of any package may import besides the lower layers: servers to test against. */
export const importableByEveryTest: ReadonlySet<string> = new Set(['@binnacle/backends']);

/**
 * Entries of packages besides their index and that for tests: both vocabularies side by side, for what compares or converts them;
 * texts without the types of the API, for programs that need none and start without them; the call that main files make before they
 * import anything else.
 */
export const otherEntries: ReadonlySet<string> = new Set([
  '@binnacle/api-names/table',
  '@binnacle/codecs/texts',
  '@binnacle/service-kit/compile-cache',
]);

/** Packages that build programs: development has them, and images, which hold what they made, do not. */
export const buildPackages: ReadonlySet<string> = new Set(['esbuild']);

/** Whether an entry of a package holds generated types of API objects: `@binnacle/api-types/core/v1`. */
export function isTypeEntry(specifier: string): boolean {
  return /^@binnacle\/api-types\/(?!testing$)[a-z0-9/]+$/.test(specifier);
}

/**
 * The layers of the folders of a package that is large enough to have some, lowest first: a file imports, types counted,
 * from its own layer and those below it. `.` is the package's root.
 */
export const folderLayers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'services/gateway': [
    // The forms of a request and an answer.
    ['request', 'settings'],
    // The forms of objects and answers: media types, versions, bytes.
    ['versions', 'render'],
    // The steps of every request.
    ['metrics', 'audit', 'authentication', 'authorization', 'flow-control'],
    // The verbs of requests, and the table of the kinds with behavior of their own.
    ['read', 'write', 'watch', 'subresources', 'virtual', 'proxy', 'kinds'],
    // The documents beside resources, and the objects that gateways keep: those that exist from the start, endpoints and leases of servers.
    ['bootstrap', 'documents'],
    // The assembly.
    ['pipeline', 'server', '.'],
  ],
};

/** The place of a package in the order, or undefined for one that the table does not name. */
export function findLayer(packageName: string): number | undefined {
  const layer = layers.findIndex(names => names.includes(packageName));
  return layer < 0 ? undefined : layer;
}
