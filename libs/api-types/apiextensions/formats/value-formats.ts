import { isIPv4, isIPv6 } from 'node:net';
import { parseSchemaDuration } from '@binnacle/api-objects';
import { isCreditCardNumber, isIsbn10, isIsbn13 } from './check-digits.ts';
import { isMailAddress } from './mail-address.ts';
import { isRequestUri } from './request-uri.ts';

/** Texts of a format, by its name without hyphens: `date-time` and `datetime` are one format. */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  bsonobjectid: value => bsonObjectId.test(value),
  byte: value => base64.test(value),
  cidr: isCidr,
  creditcard: isCreditCardNumber,
  date: isDate,
  datetime: isDateTime,
  duration: value => parseSchemaDuration(value) !== undefined,
  email: isMailAddress,
  hexcolor: value => hexColor.test(value),
  hostname: isHostname,
  ipv4: value => isIpAddress(value) && value.includes('.'),
  ipv6: value => isIpAddress(value) && value.includes(':'),
  isbn: value => isIsbn10(value) || isIsbn13(value),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: isHardwareAddress,
  rgbcolor: value => rgbColor.test(value),
  ssn: value => socialSecurityNumber.test(value),
  uri: isRequestUri,
  uuid: value => uuid.test(value),
  uuid3: value => uuid3.test(value),
  uuid4: value => uuid4.test(value),
  uuid5: value => uuid5.test(value),
};

const bsonObjectId = /^[0-9a-f]{24}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const hexColor = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const socialSecurityNumber = /^\d{3}[- ]\d{2}[- ]\d{4}$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const uuid5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const colorPart = String.raw`[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*`;
const rgbColor = new RegExp(String.raw`^rgb\(${colorPart},${colorPart},${colorPart}\)$`);

/** Whether a text is not of a format; formats that are not known, and `password`, say nothing of it. */
export function formatFault(format: string, value: string): boolean {
  const name = format.replaceAll('-', '');
  const matches = Object.hasOwn(formats, name) ? formats[name] : undefined;
  return matches !== undefined && !matches(value);
}

function isDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]; // Three groups of digits.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/i;

/** Letters may be in lower case, and any character may stand before the fraction of a second. */
function isDateTime(value: string): boolean {
  return /^t$/i.test(value.charAt(10)) && isDate(value.slice(0, 10)) && timeOfDay.test(value.slice(11));
}

/** Without a zone. */
function isIpAddress(value: string): boolean {
  return isIPv4(value) || (isIPv6(value) && !value.includes('%'));
}

function isCidr(value: string): boolean {
  const match = /^([^/]*)\/(\d{1,8})$/.exec(value);
  if (match === null) return false;
  const [, address = '', bits] = match;
  return isIpAddress(address) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

const hardwareAddressBytes: ReadonlySet<number> = new Set([6, 8, 20]);

/** Bytes between colons or hyphens, or pairs of bytes between dots: 6, 8 or 20 of them. */
function isHardwareAddress(value: string): boolean {
  if (value.length > 59) return false;
  if (/^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i.test(value) || /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i.test(value))
    return hardwareAddressBytes.has((value.length + 1) / 3);
  return (
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(value) && hardwareAddressBytes.has(((value.length + 1) / 5) * 2)
  );
}

const hostLetter = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
/** A name without dots has no hyphen but in its second place; before a dot they may stand anywhere within a label. */
const hostname = new RegExp(
  `^(?:${hostLetter}-?${hostLetter}{0,62}|` +
    String.raw`(?:${hostLetter}(?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}${hostLetter})?\.)+` +
    `${hostLetter}(?:-?${hostLetter}){1,62})$`,
  'u',
);

function isHostname(value: string): boolean {
  return (
    value.length <= 255 &&
    Buffer.byteLength(value) <= 255 &&
    hostname.test(value) &&
    value.split('.').every(label => Buffer.byteLength(label) <= 63)
  );
}
