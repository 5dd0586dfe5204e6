import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';
import { createHosts, type HostConverter, startHostConverter } from './conversion-hosts.ts';
import { establish } from './custom-widget.ts';

/** Hosts in a group of their own. */
export interface Hosts {
  readonly group: string;
  /** Of the collection in namespace default, or of an object in it. */
  path(version: string, object?: string): string;
  host(version: string, object: string, spec: JsonObject): JsonObject;
  create(version: string, object: string, spec: JsonObject): Promise<Answer>;
}

/** A server and a conversion webhook. */
export interface ConversionSetup extends AsyncDisposable {
  readonly server: ApiServer;
  readonly converter: HostConverter;
  /** Defines hosts in a group of that name; the webhook answers well, and has not been called. */
  hosts(name: string): Promise<Hosts>;
}

/** Starts both. */
export async function startConversions(): Promise<ConversionSetup> {
  const [server, converter] = await Promise.all([
    // It would watch hosts, too, and in the version of its choice.
    startApiServer({ enableGarbageCollector: false }),
    startHostConverter(),
  ]);
  return {
    server,
    converter,
    async hosts(name) {
      converter.answering = 'well';
      const group = `${name}.conv.example.com`;
      await establish(server, createHosts(group, converter));
      converter.server.calls.length = 0;
      return hostsIn(group, server);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await converter[Symbol.asyncDispose]();
    },
  };
}

function hostsIn(group: string, server: ApiServer): Hosts {
  const path = (version: string, object = '') =>
    `/apis/${group}/${version}/namespaces/default/hosts${object === '' ? '' : `/${object}`}`;
  const host = (version: string, name: string, spec: JsonObject) => ({
    apiVersion: `${group}/${version}`,
    kind: 'Host',
    metadata: { name },
    spec,
  });
  return {
    group,
    path,
    host,
    async create(version, object, spec) {
      const answer = await server.call('POST', path(version), { body: host(version, object, spec) });
      assert.equal(answer.code, 201, answer.text);
      return answer;
    },
  };
}

/** The spec of the object that an answer is. */
export function parseSpec({ text }: Answer): JsonObject {
  return (JSON.parse(text) as { spec: JsonObject }).spec; // hosts have one
}
