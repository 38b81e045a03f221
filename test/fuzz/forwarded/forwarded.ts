import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClientAddress, createIsTrustedProxy, isAllowedFrom, toNetwork } from '../../../src/http/addresses.ts';
import type { Exchange } from '../../../src/data-plane/exchange/exchange.ts';
import { createRewriteRequest } from '../../../src/data-plane/steps/rewrite-request.ts';
import type { Route } from '../../../src/data-plane/upstreams/upstream.ts';
import { expectThat } from '../finding.ts';
import type { Target, World } from '../target.ts';
import {
  type Address,
  canonical,
  forwardedScripts,
  type ForwardedScript,
  isTrusted,
  TRUSTED_RANGES,
} from './forwarded-scripts.ts';

/**
 * Fuzzes the headers in which proxies report the caller's address. For limits and restrictions, all spellings of an
 * address must mean the same caller, and only trusted proxies may be believed.
 */
export const forwarded: Target<ForwardedScript> = { name: 'forwarded', scripts: forwardedScripts, open };

const HOST = 'gateway.example.com';

function open(): Promise<World<ForwardedScript>> {
  const malformed: string[] = [];
  const clientAddress = createClientAddress(TRUSTED_RANGES, (value) => malformed.push(value));
  const rewrite = createRewriteRequest(createIsTrustedProxy(TRUSTED_RANGES), [], []);

  function play(script: ForwardedScript): void {
    malformed.length = 0;
    const req = createRequest(script);
    const expected = expectedCaller(script);
    const found = clientAddress(req);
    const detail = () => `${found} instead of ${canonical(expected.address)} for ${JSON.stringify(req.headers)}`;
    expectThat(toNetwork(found) === toNetwork(canonical(expected.address)), 'another caller', detail);
    expectThat(isAllowedFrom([canonical(expected.address)], found), 'an allowed address that is not found', detail);
    expectThat(malformed.length > 0 === expected.isMalformed, 'a warning that is missing or wrong', detail);
    checkIdentity(script, req);
  }

  /** Checks the headers that tell a service where the request comes from. */
  function checkIdentity({ sender, scheme, host, isEncrypted }: ForwardedScript, req: IncomingMessage): void {
    const { headers } = rewrite(createExchange(req), ROUTE);
    const readHeader = (name: string) =>
      headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name).join(' | ');
    const isBelieved = isTrusted(sender.address);
    const chain = isBelieved ? req.headers['x-forwarded-for'] : undefined;
    const expected = [
      chain ? `${String(chain)}, ${canonical(sender.address)}` : canonical(sender.address),
      (isBelieved && scheme) || (isEncrypted ? 'https' : 'http'),
      (isBelieved && host) || HOST,
    ];
    const actual = ['X-Forwarded-For', 'X-Forwarded-Proto', 'X-Forwarded-Host'].map(readHeader);
    const detail = () => `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
    expectThat(
      actual.every((value, index) => value === expected[index]),
      'another origin is reported',
      detail,
    );
  }

  return Promise.resolve({
    async play(script) {
      play(script);
    },
    heap: () => Promise.resolve(heapInUse()),
    close: () => Promise.resolve(),
  });
}

/** Measures the heap of this process, because nothing here runs in another one. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function createRequest({ sender, items, separators, scheme, host, isEncrypted }: ForwardedScript): IncomingMessage {
  const findSeparator = (index: number) => separators[index % separators.length] ?? ',';
  const chain = items?.map(({ text }, index) => (index === 0 ? text : findSeparator(index) + text)).join('');
  const headers = {
    host: HOST,
    ...(chain === undefined ? {} : { 'x-forwarded-for': chain + (separators.length > 1 ? findSeparator(0) : '') }),
    ...(scheme === null ? {} : { 'x-forwarded-proto': scheme }),
    ...(host === null ? {} : { 'x-forwarded-host': host }),
  };
  const socket = { remoteAddress: sender.text, encrypted: isEncrypted };
  const rawHeaders = Object.entries(headers).flat();
  return { socket, headers, rawHeaders, httpVersion: '1.1' } as unknown as IncomingMessage;
}

/** Finds the expected caller from the numbers of the script, not from its texts. */
function expectedCaller({ sender, items }: ForwardedScript): { address: Address; isMalformed: boolean } {
  let { address }: { address: Address } = sender;
  for (const item of items?.toReversed() ?? []) {
    if (!isTrusted(address)) break;
    if (item.address === null) return { address, isMalformed: true };
    ({ address } = item);
  }
  return { address, isMalformed: false };
}

function createExchange(req: IncomingMessage): Exchange {
  return {
    req,
    path: '/',
    query: '',
    requestId: 'id',
    credential: null,
    token: null,
    trace: null,
    tunnel: null,
  } as unknown as Exchange;
}

const ROUTE = { prefix: '', operation: { timeoutMs: null } } as unknown as Route;
