import { createServer } from 'node:http';
import { listening, type HttpService } from './http-service.ts';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Recorder extends HttpService {
  /** What arrived since it was last asked. */
  take(): Recorded[];
}

/** An upstream that answers 200 to all, and records what it saw. */
export function startRecorder(): Promise<Recorder> {
  let seen: Recorded[] = [];
  const server = createServer((req, res) => {
    const record = { method: req.method ?? '', url: req.url ?? '', rawHeaders: req.rawHeaders, body: '' };
    seen.push(record);
    req.setEncoding('latin1').on('data', (chunk) => (record.body += String(chunk)));
    req.on('end', () => res.end('seen'));
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
