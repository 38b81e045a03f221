import { writeFileSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from './gateway.ts';
import { runGateway } from './process.ts';

/**
 * Runs a gateway as a separate process in front of a slow service, with a plan whose limits are never reached.
 *
 * @param settings settings of the gateway
 * @param options options of the service
 */
export async function runSlowGateway(dataDir: string, settings: object = {}, env = {}, options = {}) {
  const config = join(dataDir, 'gateway.yaml');
  writeFileSync(config, stringify({ demo: true, ...slowService(dataDir, options), ...settings }));
  const gateway = await runGateway(dataDir, { TOLLGATE_CONFIG: config, ...env });
  const key = /tg_live_\w{38}/.exec(gateway.output())?.[0] ?? '';
  return { ...gateway, key };
}

/** Starts a gateway in front of the slow service, in this process. */
export function startSlowGateway(dataDir: string, settings: object = {}): Promise<TestGateway> {
  return startTestGateway({ dataDir, settings: { ...slowService(dataDir), ...settings } });
}

/** The settings for the slow service and its plan. */
function slowService(folder: string, options = {}) {
  const plans = join(folder, 'plans.yaml');
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits: { minute: 1e6, day: 1e7 } }] }));
  const service = join(root, 'test/support/services/lifecycle');
  const upstream = { name: 'slow', openapi: `${service}.openapi.yaml`, module: `${service}-service.ts`, options };
  return { plans, upstreams: [upstream] };
}

export type SlowGateway = Awaited<ReturnType<typeof runSlowGateway>>;

interface AgentResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a request over a connection of the agent. If the connection fails, it rejects with an error that says whether
 * the connection had served a request before.
 */
export function ask(url: string, key: string, agent: Agent): Promise<AgentResponse> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { 'x-api-key': key } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    call.on('error', (error) => reject(Object.assign(error, { isReused: call.reusedSocket }))).end();
  });
}

export function keepAliveAgent(maxSockets = 1): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}
