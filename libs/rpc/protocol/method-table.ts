import type { CallContext, MethodContract } from '@binnacle/proto';
import type { AllowedCallers, ServiceImplementation } from './service-implementation.ts';

/** A method with its handler. */
export interface BoundMethod {
  readonly method: MethodContract;
  /** `Storage.get`, for logs and metrics. */
  readonly label: string;
  /** Returns a promise for a unary method, an async iterable for a streaming one. */
  readonly handler: (request: unknown, call: CallContext) => unknown;
  /** Names of the services that may call the method; undefined: all services. */
  readonly callers: ReadonlySet<string> | undefined;
}

/** The last part of a service's full name: `Storage`. */
export function shortServiceName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

/** Returns all methods of the given services with their handlers; throws a `TypeError` if a handler is missing. */
export function bindMethods(services: readonly ServiceImplementation[]): BoundMethod[] {
  return services.flatMap(({ contract, handlers, callers }) =>
    contract.methods.map(method => {
      // The type of the contract ties its method names to the members of the handlers.
      const handler = (handlers as Record<string, unknown>)[method.name];
      if (typeof handler !== 'function')
        throw new TypeError(`${contract.name}: no handler for ${method.name}`);
      return {
        method,
        label: `${shortServiceName(contract.name)}.${method.name}`,
        handler: (request, call) => handler.call(handlers, request, call),
        callers: callers && collectCallers(callers, method.name),
      };
    }),
  );
}

function collectCallers(callers: AllowedCallers, method: string): ReadonlySet<string> {
  const names = Object.entries(callers)
    .filter(([, methods]) => methods === 'all' || (methods as readonly string[]).includes(method))
    .map(([name]) => name);
  return new Set(names);
}
