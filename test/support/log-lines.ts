import { pino, type Logger } from 'pino';

/** Creates a logger that collects its lines. */
export function captureLog(): { logger: Logger; lines: Record<string, unknown>[]; text: () => string } {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { logger, lines, text: () => lines.map((line) => JSON.stringify(line)).join('\n') };
}
