import { undiciProxy } from '../contenders/undici-proxy.ts';
import { httpUpstreamEmbedded } from '../contenders/http-upstream.ts';
import { inProcessEmbedded } from '../contenders/in-process.ts';
import { type ComparedServer, measureInTurn, computeRatio, formatTimes } from '../in-turn.ts';
import { formatTable } from '../table.ts';
import type { ScaleRun } from './scale-run.ts';

/** Numbers of header fields, including `Host` and the key. */
const COUNTS = [10, 60] as const;

/** Measures the cost of header fields that a proxy only forwards. */
export const measureHeaderFields: ScaleRun = async (lab, { inTurn }) => {
  const rows: string[][] = [];
  const contenders = [undiciProxy, httpUpstreamEmbedded, inProcessEmbedded];
  const servers = contenders.flatMap((contender) => {
    // The same process serves both numbers of fields.
    const started = startOnce(() => contender.start(lab));
    return COUNTS.map((count): ComparedServer => ({
      title: `${contender.title}, ${count} fields`,
      async start() {
        const running = await started();
        return { ...running, headers: { ...running.headers, ...createFields(count - 2) } };
      },
    }));
  });
  const measured = await measureInTurn(lab, servers, inTurn);
  for (const [index, each] of measured.entries()) {
    rows.push([each.title, formatTimes(each), index % 2 === 0 ? '' : computeRatio(each, measured[index - 1]!).text]);
  }
  return formatTable(['header fields of a request', 'CPU µs/request', `/ ${COUNTS[0]} fields`], rows);
};

/** Creates header fields that are about as long as those of browsers and load balancers. */
function createFields(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`X-Field-${index}`, `value ${index} of a field that is handed on`]),
  );
}

function startOnce<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}
