import { isIPv4, isIPv6 } from 'node:net';
import { tableOf } from '../../base/table-of.ts';
import { compare, type Decimal, decimalForm, type ExactNumber, isInteger, toDecimal } from './decimal.ts';
import { isRegExp } from './patterns.ts';

interface Format<Value> {
  readonly test: (value: Value) => boolean;
  /** Completes "must be". */
  readonly words: string;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const MINUTES_PER_DAY = 24 * 60;

function isTime(text: string): boolean {
  const [, hour, minute, second, sign, offsetHour, offsetMinute] = TIME.exec(text) ?? [];
  if (hour === undefined) return false;
  if (second !== '60') return true;
  // A leap second is the last one of a day in UTC.
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -1 : 1);
  const inUtc = Number(hour) * 60 + Number(minute) - offset;
  return (inUtc + 2 * MINUTES_PER_DAY) % MINUTES_PER_DAY === MINUTES_PER_DAY - 1;
}

function isDateTime(text: string): boolean {
  return /[Tt]/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const QUOTED_LOCAL_PART = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => label.length <= 63 && LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at <= 0 || !(LOCAL_PART.test(local) || QUOTED_LOCAL_PART.test(local))) return false;
  if (!domain.startsWith('[')) return isHostname(domain);
  const address = domain.slice(1, -1);
  return domain.endsWith(']') && (isIPv4(address) || (/^IPv6:/i.test(address) && isIPv6(address.slice(5))));
}

/** Characters of URIs; the second form also has those beyond ASCII. A `%` must begin an escape. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const IRI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|[\u00a0-\u{10ffff}]|%[0-9A-Fa-f]{2})*$/u;
const NOT_IN_IRIS = /[\s<>"{}|\\^`]/;
/** The parts of a reference (RFC 3986, appendix B). */
const URI_PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const AUTHORITY = /^(?:[^@[\]]*@)?(?:\[([^[\]]*)\]|[^@:[\]]*)(?::\d*)?$/;
const BRACKET = /[[\]]/;

function isReference(text: string, isAbsolute: boolean, isInternational: boolean): boolean {
  if (!(isInternational ? IRI_CHARACTERS : URI_CHARACTERS).test(text) || NOT_IN_IRIS.test(text)) return false;
  const [, scheme, authority, path = '', query = '', fragment = ''] = URI_PARTS.exec(text) ?? [];
  if (scheme === undefined ? isAbsolute : !SCHEME.test(scheme)) return false;
  if (BRACKET.test(path) || BRACKET.test(query) || BRACKET.test(fragment) || fragment.includes('#')) return false;
  // Without a scheme, a colon in the first segment would make it one.
  if (scheme === undefined && authority === undefined && path.split('/', 1)[0]?.includes(':') === true) return false;
  const address = authority === undefined ? undefined : AUTHORITY.exec(authority);
  if (address === null) return false;
  const literal = address?.[1];
  return literal === undefined || isIPv6(literal) || /^[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/.test(literal);
}

const TEMPLATE =
  /^(?:[^\p{Cc}\s"%<>\\^`{|}]|%[0-9A-Fa-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[0-9A-Fa-f]{2})(?:[\w.]|%[0-9A-Fa-f]{2})*(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[0-9A-Fa-f]{2})(?:[\w.]|%[0-9A-Fa-f]{2})*(?::[1-9]\d{0,3}|\*)?)*\})*$/u;

function isBase64(text: string): boolean {
  const packed = text.replace(/[\r\n]/g, '');
  return BASE64.test(packed) && (packed.length % 4 === 0 || !packed.endsWith('='));
}

/** Formats of texts. Texts of other formats are not checked. */
export const TEXT_FORMATS = tableOf<Format<string>>({
  'date-time': { test: isDateTime, words: 'an RFC 3339 date-time with an offset, such as 2026-12-24T09:00:00Z' },
  date: { test: isDate, words: 'an RFC 3339 date, such as 2026-12-24' },
  time: { test: isTime, words: 'an RFC 3339 time with an offset, such as 09:00:00Z' },
  duration: { test: (text) => DURATION.test(text), words: 'an ISO 8601 duration, such as P3DT4H' },
  email: { test: isEmail, words: 'an email address' },
  'idn-email': { test: (text) => /^[^\s@]+@[^\s@]+$/.test(text), words: 'an email address' },
  hostname: { test: isHostname, words: 'a host name' },
  ipv4: { test: isIPv4, words: 'an IPv4 address' },
  ipv6: { test: (text) => isIPv6(text) && !text.includes('%'), words: 'an IPv6 address' },
  uri: { test: (text) => isReference(text, true, false), words: 'a URI with a scheme' },
  'uri-reference': { test: (text) => isReference(text, false, false), words: 'a URI or a relative reference' },
  iri: { test: (text) => isReference(text, true, true), words: 'an IRI with a scheme' },
  'iri-reference': { test: (text) => isReference(text, false, true), words: 'an IRI or a relative reference' },
  'uri-template': { test: (text) => TEMPLATE.test(text), words: 'a URI template (RFC 6570)' },
  uuid: { test: (text) => UUID.test(text), words: 'a UUID' },
  'json-pointer': { test: (text) => POINTER.test(text), words: 'a JSON pointer' },
  'relative-json-pointer': { test: (text) => RELATIVE_POINTER.test(text), words: 'a relative JSON pointer' },
  regex: { test: (text) => isRegExp(text, 'u'), words: 'a regular expression' },
  byte: { test: isBase64, words: 'Base64' },
});

type Numeric = number | ExactNumber;

const between = (least: string, most: string): ((value: Numeric) => boolean) => {
  const [minimum, maximum] = [toDecimal(least), toDecimal(most)];
  const [low, high] = [Number(least), Number(most)];
  return (value) =>
    Number.isSafeInteger(value)
      ? (value as number) >= low && (value as number) <= high
      : isInteger(value) && isBetween(decimalForm(value), minimum, maximum);
};

function isBetween(value: Decimal, minimum: Decimal, maximum: Decimal): boolean {
  return compare(value, minimum) >= 0 && compare(value, maximum) <= 0;
}

/** Formats of numbers. */
export const NUMBER_FORMATS = tableOf<Format<Numeric>>({
  int32: { test: between('-2147483648', '2147483647'), words: 'a whole number of 32 bits' },
  int64: { test: between('-9223372036854775808', '9223372036854775807'), words: 'a whole number of 64 bits' },
});
