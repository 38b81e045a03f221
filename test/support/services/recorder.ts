import { createServer } from 'node:http';
import { listening, type HttpService } from './http-service.ts';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Whether the body came to its end. */
  readonly complete: boolean;
}

export interface Recorder extends HttpService {
  /** What arrived since it was last asked. */
  take(): Recorded[];
}

/** An upstream that answers 200 to all, and records what it saw. */
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
