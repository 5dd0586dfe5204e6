import { isIPv4, isIPv6 } from 'node:net';
import { parseSchemaDuration } from '@binnacle/api-objects';
import { isMailAddress } from './mail-address.ts';

/** Validators of formats, by name without hyphens: `date-time` and `datetime` are equal. */
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

/** Whether a text violates a format; unknown formats and `password` accept every text. */
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

/** Letters may be lower case, and any character may precede the fraction of the second. */
function isDateTime(value: string): boolean {
  return /^t$/i.test(value.charAt(10)) && isDate(value.slice(0, 10)) && timeOfDay.test(value.slice(11));
}

/** Accepts addresses without a zone. */
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

/** Accepts 6, 8 or 20 bytes, separated by colons or hyphens, or in pairs by dots. */
function isHardwareAddress(value: string): boolean {
  if (value.length > 59) return false;
  if (/^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i.test(value) || /^[0-9a-f]{2}(?:-[0-9a-f]{2})+$/i.test(value))
    return hardwareAddressBytes.has((value.length + 1) / 3);
  return (
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(value) && hardwareAddressBytes.has(((value.length + 1) / 5) * 2)
  );
}

const hostLetter = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
/**
 * A name without dots may contain a hyphen only in second place; in a name with dots hyphens are allowed anywhere within a label.
 */
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

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
/** Longer texts, in characters, are not card numbers. */
const longestText = 1024;

/** Whether the digits of a text form a credit card number; other characters are ignored. */
function isCreditCardNumber(text: string): boolean {
  const digits = text.length > longestText ? '' : text.replace(/\D+/g, '');
  if (!cardNumber.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i));
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Whether a text is an ISBN-10; blanks and hyphens are ignored. */
function isIsbn10(text: string): boolean {
  const places = bookNumberFrom(text);
  if (!/^\d{9}[\dX]$/.test(places)) return false;
  const sum = [...places].reduce((total, place, index) => total + (index + 1) * digitValue(place), 0);
  return sum % 11 === 0;
}

/** Whether a text is an ISBN-13; blanks and hyphens are ignored. */
function isIsbn13(text: string): boolean {
  const places = bookNumberFrom(text);
  if (!/^\d{13}$/.test(places)) return false;
  const sum = [...places].reduce(
    (total, place, index) => total + (index % 2 === 0 ? 1 : 3) * digitValue(place),
    0,
  );
  return sum % 10 === 0;
}

function bookNumberFrom(text: string): string {
  return text.length > longestText ? '' : text.replace(/[\t\n\f\r -]+/g, '');
}

function digitValue(place: string): number {
  return place === 'X' ? 10 : Number(place);
}

/** Letters, digits and symbols that a host may contain unescaped, and all non-ASCII characters. */
const hostText = /^(?:[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~\u0080-\u{10ffff}]|%(?:[89a-f][0-9a-f]|25))*$/iu;
const userText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*$/i;
const escapeFault = /%(?![0-9a-f]{2})/i;
const portText = /^(?::\d*)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const controlCharacter = /[\0-\x1f\x7f]/;

/** Whether a text is a valid request URI: an absolute URI or an absolute path. Text after a scheme without a slash is opaque. */
function isRequestUri(text: string): boolean {
  if (text === '' || controlCharacter.test(text) || text.startsWith(':')) return false;
  if (text === '*') return true;
  const scheme = /^[a-z][a-z0-9+\-.]*:/i.exec(text)?.[0] ?? '';
  const [hierarchy = ''] = text.slice(scheme.length).split('?', 1);
  if (!hierarchy.startsWith('/')) return scheme !== '';
  if (scheme === '' || !hierarchy.startsWith('//')) return !escapeFault.test(hierarchy);
  const slash = hierarchy.indexOf('/', 2);
  const authority = slash < 0 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  return isAuthority(authority) && (slash < 0 || !escapeFault.test(hierarchy.slice(slash)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  return (at < 0 || userText.test(authority.slice(0, at))) && isHostAndPort(authority.slice(at + 1));
}

function isHostAndPort(text: string): boolean {
  const bracket = text.startsWith('[') ? text.lastIndexOf(']') : 0;
  if (bracket < 0) return false;
  const colon = bracket > 0 ? bracket + 1 : text.lastIndexOf(':');
  const port = colon < 0 ? '' : text.slice(colon);
  return portText.test(port) && hostText.test(text.slice(0, text.length - port.length));
}
