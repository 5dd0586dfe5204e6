import type { Mechanism } from 'kafkajs';
import { loadKafkaJs } from '../kafkajs/load-kafkajs.ts';
import type { KafkaUser } from './kafka-connection.ts';

/**
 * Creates the SCRAM mechanism of a user. kafkajs reports a connection that breaks during the exchange as a refused
 * password; this mechanism throws the original error.
 */
export function scramMechanism(user: KafkaUser): Mechanism {
  const { mechanism, username, password } = user;
  const provide = loadKafkaJs().scram[mechanism]({ username, password });
  return {
    mechanism,
    authenticationProvider(args) {
      let failure: unknown;
      const exchange = provide({
        ...args,
        async saslAuthenticate(message) {
          try {
            return await args.saslAuthenticate(message);
          } catch (thrown) {
            failure = thrown;
            throw thrown;
          }
        },
      });
      return {
        async authenticate() {
          try {
            await exchange.authenticate();
          } catch (thrown) {
            throw failure ?? thrown;
          }
        },
      };
    },
  };
}
