import { startRedis } from './redis.ts';
import { registerServerContractTests } from './server-contract.ts';
import { exchangeBytes } from './tcp-exchange.ts';

registerServerContractTests(startRedis, async server => {
  const answer = await exchangeBytes({
    port: server.port,
    request: Buffer.from('ECHO bell\r\n'),
    isComplete: received => received.toString().endsWith('bell\r\n'),
    signal: AbortSignal.timeout(5_000),
  });
  return answer.toString() === '$4\r\nbell\r\n';
});
