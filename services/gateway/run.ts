import { versionLine } from '@binnacle/build-info';
import { endIfValidating, parseServiceFlags } from '@binnacle/flags';
import {
  createServiceEnvironment,
  type RunningService,
  runService,
  startOperationsServer,
} from '@binnacle/service-kit';
import { noteCertificates } from '@binnacle/tls';
import { auditFromFlags } from './audit/audit-from-flags.ts';
import { authorizerFilesFromFlags } from './authorization/modes/authorizer-files-from-flags.ts';
import { backendHostsFrom, connectServices } from './connect-services.ts';
import { createGateway } from './create-gateway.ts';
import { issuerDiscoveryFromFlags } from './documents/issuer-documents.ts';
import { servingTlsFromFlags } from './server/certificates-from-flags.ts';
import { gatewayFlags } from './settings/gateway-flags.ts';
import { serviceAccountTokensFromFlags } from './subresources/token-issuer.ts';

/** Time of a stop beyond the delay and the draining that flags set. */
const stopMarginMs = 30_000;

await runService({ name: 'gateway', start });

async function start(signal: AbortSignal): Promise<RunningService> {
  const flags = parseServiceFlags(gatewayFlags, { version: versionLine('gateway') });
  const environment = await createServiceEnvironment('gateway', flags);
  const { log, metrics, files } = environment;
  const services = await connectServices(flags, environment);
  const serviceAccountTokens = await serviceAccountTokensFromFlags(flags, files);
  const issuerDiscovery = await issuerDiscoveryFromFlags(flags, files);
  const readTls = async () => {
    const tls = await servingTlsFromFlags(flags);
    if (tls !== false)
      noteCertificates(metrics, [
        { name: 'api', pem: tls.cert },
        { name: 'client-authority', pem: tls.clientCa },
        { name: 'proxy-authority', pem: tls.proxyCa },
      ]);
    return tls;
  };
  const audit = await auditFromFlags(flags, files);
  const authorizerFiles = await authorizerFilesFromFlags(flags, files);
  const tls = await readTls();
  endIfValidating(flags);
  const gateway = await createGateway({
    ...flags,
    ...(serviceAccountTokens && { serviceAccountTokens }),
    audit,
    authorizerFiles,
    ...(issuerDiscovery && { issuerDiscovery }),
    tls,
    readTls,
    storage: services.storage,
    admission: services.admission,
    tokenReview: services.tokenReview,
    ...(services.webhookDispatch && { webhookDispatch: services.webhookDispatch }),
    changeFeed: services.changeFeed,
    backendHosts: backendHostsFrom(flags),
    tracer: environment.tracing?.tracer,
    logger: log,
    metrics,
  });
  gateway.health.add('services', () => environment.peers.assertNone());
  const operations = await startOperationsServer({
    host: flags.operationsHost,
    port: flags.operationsPort,
    health: gateway.health,
    metrics,
  });
  gateway.ready().then(
    () => log.info('every type is listed'),
    error => {
      // One that is told to stop before it is ready has not failed.
      if (!signal.aborted) log.error('the start failed', { error });
    },
  );
  return {
    readyLine: `gateway is ready on ${flags.tls ? 'https' : 'http'}://${flags.bindAddress}:${gateway.port}`,
    stopTimeoutMs: flags.shutdownDelayDuration + flags.shutdownDrainDuration + stopMarginMs,
    async stop() {
      await gateway.stop();
      await operations[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
      await environment.tracing?.[Symbol.asyncDispose]();
    },
  };
}
