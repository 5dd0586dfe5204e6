import { readFile } from 'node:fs/promises';
import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { canonicalApiVersion } from '@binnacle/api-types';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';

/** The content of a TracingConfiguration. */
export interface TracingConfiguration {
  /** The collector, as grpc-js names it: `host:port`, or `unix:` with a path. */
  readonly endpoint: string;
  /** How many of a million traces that begin here are sampled. */
  readonly samplingRatePerMillion: number;
}

const apiVersion = `${groups.apiserverConfig}/v1alpha1`;
const defaultEndpoint = 'localhost:4317';
const million = 1_000_000;

/**
 * Reads the file of `--tracing-config-file`, YAML or JSON: a TracingConfiguration, as kube-apiserver 1.26 reads it. Throws an Error
 * that names the field.
 */
export async function readTracingConfiguration(file: string): Promise<TracingConfiguration> {
  const { value } = parseYamlAtOnce(await readFile(file));
  if (!isJsonObject(value)) throw new Error('it does not hold an object');
  const { kind, apiVersion: version, endpoint, samplingRatePerMillion, ...others } = value;
  if (kind !== 'TracingConfiguration' || canonicalVersion(version) !== apiVersion)
    throw new Error(
      `expected kind TracingConfiguration of ${apiVersion}, got ${shown(kind ?? '')} of ${shown(version ?? '')}`,
    );
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`unknown field ${JSON.stringify(unknown)}`);
  return {
    endpoint: readEndpoint(endpoint),
    samplingRatePerMillion: readRate(samplingRatePerMillion),
  };
}

/** A value as messages show it. */
function shown(value: JsonObject[string]): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function canonicalVersion(version: unknown): string {
  return typeof version === 'string' ? canonicalApiVersion(version) : '';
}

function readRate(rate: JsonObject[string] = 0): number {
  if (rate === null) return 0;
  const refuse = (why: string): never => {
    throw new Error(`samplingRatePerMillion: Invalid value: ${shown(rate)}: ${why}`);
  };
  // The reader gives whole numbers beyond 2^53 as bigints.
  const value = typeof rate === 'bigint' ? Number(rate) : rate;
  if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('must be a whole number');
  if (value < 0) return refuse('sampling rate must be positive');
  if (value > million) return refuse('sampling rate per million must be less than or equal to one million');
  return value;
}

/** Reads the endpoint: `host:port`, `dns:` or `unix:` with what grpc has behind them. */
function readEndpoint(endpoint: JsonObject[string] = defaultEndpoint): string {
  const refuse = (why: string): never => {
    throw new Error(`endpoint: Invalid value: ${shown(endpoint)}: ${why}`);
  };
  if (endpoint === null) return defaultEndpoint;
  if (typeof endpoint !== 'string') return refuse('must be a string');
  const [, scheme = 'dns', rest = endpoint] = /^([a-z-]+):\/\/(.*)$/i.exec(endpoint) ?? [];
  if (scheme === 'unix') return rest.startsWith('/') ? `unix://${rest}` : refuse('must be an absolute path');
  if (scheme !== 'dns') return refuse(`unsupported scheme: ${scheme}. Options are none, dns, or unix`);
  const host = rest.replace(/^\/+/, '');
  if (!URL.canParse(`http://${host}`) || new URL(`http://${host}`).host !== host.toLowerCase())
    return refuse('must be a host and a port');
  return host;
}
