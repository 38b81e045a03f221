import { Agent, type buildConnector, type Dispatcher } from 'undici';
import type { Clock } from '../../../base/time.ts';
import type { UrlRules } from '../addresses/url-rules.ts';
import { signature } from './signature.ts';
import { failureInWords } from './failure-words.ts';
import { readStart } from './read-start.ts';
import { retryAfterMs } from '../delivery/schedule.ts';
import { ATTEMPT_MS, type Message, type Outcome, type Sender } from './sender.ts';

const USER_AGENT = 'Tollgate-Webhooks';
/** A connection that is not used for this long is closed: many servers close theirs after 5 seconds. */
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface HttpSenderSettings {
  readonly connector: buildConnector.connector;
  readonly urls: Pick<UrlRules, 'checkForm'>;
  readonly clock: Clock;
  readonly attemptMs?: number;
}

/** Sends over HTTP. Redirects are not followed: the address behind one was not agreed to. */
export class HttpSender implements Sender {
  readonly #agent: Agent;
  readonly #urls: HttpSenderSettings['urls'];
  readonly #clock: Clock;
  readonly #attemptMs: number;

  constructor({ connector, urls, clock, attemptMs = ATTEMPT_MS }: HttpSenderSettings) {
    this.#urls = urls;
    this.#clock = clock;
    this.#attemptMs = attemptMs;
    this.#agent = new Agent({
      connect: connector,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  async send(message: Message): Promise<Outcome> {
    const at = this.#clock();
    const startedAt = performance.now();
    const ended = () => ({ at, durationMs: Math.round(performance.now() - startedAt) });
    try {
      const { statusCode, headers, body } = await this.#request(message, at);
      const answer = await readStart(body);
      const isBusy = statusCode === 429 || statusCode === 503;
      const wait = isBusy ? retryAfterMs(headers['retry-after'], at) : null;
      return { ...ended(), status: statusCode, error: null, answer, retryAfterMs: wait };
    } catch (error) {
      const none = { status: null, answer: null, retryAfterMs: null };
      return { ...ended(), ...none, error: failureInWords(error, this.#attemptMs) };
    }
  }

  /** Ends what still runs. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  #request({ url: text, secrets, id, body }: Message, at: number): Promise<Dispatcher.ResponseData> {
    const url = this.#urls.checkForm(text);
    const timestamp = Math.floor(at / 1000);
    return this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature(secrets, { id, timestamp, body }),
      },
      body,
      signal: AbortSignal.timeout(this.#attemptMs),
    });
  }
}
