import { connect, createServer, type AddressInfo } from 'node:net';

interface Backend {
  readonly publicUrl: string;
  readonly adminUrl: string;
  readonly portalUrl: string;
}

const CHECK_MS = 100;

/** A TCP load balancer: distributes connections round robin among ready gateways. */
export async function startBalancer(
  backends: readonly Backend[],
  to: 'publicUrl' | 'portalUrl' = 'publicUrl',
): Promise<{ url: string; stop(): void }> {
  let ready: readonly Backend[] = [];
  let turn = 0;
  const check = async () => {
    const answers = await Promise.all(
      backends.map(({ adminUrl }) =>
        fetch(`${adminUrl}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = backends.filter((_, index) => answers[index]);
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_MS);
  const server = createServer((inbound) => {
    const backend = ready[turn++ % ready.length];
    if (backend === undefined) {
      inbound.destroy();
      return;
    }
    const { hostname, port } = new URL(backend[to]);
    const outbound = connect(Number(port), hostname);
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      clearInterval(timer);
      server.close();
    },
  };
}
