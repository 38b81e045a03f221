import {
  AddressRules,
  type AllowPrivate,
  type Resolve,
  UrlRules,
} from '../../../src/control-plane/webhooks/address-rules.ts';
import { createGuardedConnector } from '../../../src/control-plane/webhooks/guarded-connector.ts';
import { HttpSender } from '../../../src/control-plane/webhooks/http-sender.ts';

export interface SenderOptions {
  readonly allowPrivate?: AllowPrivate;
  readonly ports?: readonly number[];
  readonly resolve?: Resolve;
  readonly rules?: Pick<AddressRules, 'allows'>;
  readonly clock?: () => number;
  readonly attemptMs?: number;
  readonly ca?: string;
}

/** Creates the real sender. By default, all host names resolve to 127.0.0.1. */
export function createSender(options: SenderOptions = {}) {
  const { allowPrivate = false, ports = null, resolve = async () => ['127.0.0.1'], clock = Date.now } = options;
  const { rules = new AddressRules(allowPrivate), attemptMs, ca } = options;
  const urls = new UrlRules({ rules, ports, resolve });
  const connector = createGuardedConnector({ rules, resolve, timeoutMs: attemptMs ?? 5000, ca });
  const sender = new HttpSender({ connector, urls, clock, ...(attemptMs === undefined ? {} : { attemptMs }) });
  return { sender, done: () => sender.close() };
}
