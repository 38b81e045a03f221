import { createServer } from 'node:http';
import { listening, type HttpService } from './http-service.ts';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** True if the whole body was received. */
  readonly complete: boolean;
}

export interface Recorder extends HttpService {
  /** Returns the requests received since the last call. */
  take(): Recorded[];
}

/** Starts an upstream that records every request and responds with 200. */
export function startRecorder(): Promise<Recorder> {
  let seen: Recorded[] = [];
  const server = createServer((req, res) => {
    const record = {
      method: req.method ?? '',
      url: req.url ?? '',
      rawHeaders: req.rawHeaders,
      body: '',
      complete: false,
    };
    seen.push(record);
    req.setEncoding('latin1').on('data', (chunk) => (record.body += String(chunk)));
    req.on('end', () => {
      record.complete = true;
      res.end('seen');
    });
  });
  server.keepAliveTimeout = 60_000;
  return listening(server).then((service) => ({
    ...service,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
  }));
}
