import { isIPv4, isIPv6 } from 'node:net';
import { parseDuration, parseTimestamp, validateDnsSubdomain } from '@binnacle/api-objects';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const mac = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i;
const email = /^[^\s@]+@[^\s@]+$/;
const date = /^\d{4}-\d{2}-\d{2}$/;

const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': value => parseTimestamp(value) !== undefined,
  date: value => date.test(value) && !Number.isNaN(Date.parse(value)),
  duration: value => parseDuration(value) !== undefined,
  byte: value => base64.test(value),
  email: value => email.test(value),
  hostname: value => validateDnsSubdomain(value.toLowerCase()).length === 0,
  ipv4: isIPv4,
  ipv6: isIPv6,
  mac: value => mac.test(value),
  uri: value => URL.canParse(value),
  uuid: value => uuid.test(value),
};

/** Whether a text is not of a format; formats that are not known say nothing. */
export function formatFault(format: string, value: string): boolean {
  const matches = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return matches !== undefined && !matches(value);
}
