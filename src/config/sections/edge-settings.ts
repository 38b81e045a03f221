import { z } from 'zod';
import { count, positiveDuration, size } from '../../base/units.ts';
import { ALWAYS, isAbove } from '../always.ts';
import { dropHeaders } from './drop-headers.ts';

/** `edge`: limits on connections, requests and bodies, and how long they may take. */
export const edgeSettings = z
  .strictObject({
    maxBody: size.prefault('1mb'),
    maxHeader: size.prefault('16kb'),
    headersTimeout: positiveDuration.prefault('10s'),
    requestTimeout: positiveDuration.prefault('30s'),
    writeTimeout: positiveDuration.prefault('30s'),
    keepAlive: positiveDuration.prefault('75s'),
    maxConnections: count.default(10_000),
    maxConnectionsPerAddress: count.optional(),
    maxTunnels: count.default(100),
    tunnelIdle: positiveDuration.prefault('5m'),
    reusePort: z.boolean('must be true or false').default(false),
    dropHeaders,
  })
  .refine((edge) => !isAbove(edge?.headersTimeout, edge?.requestTimeout), {
    ...ALWAYS,
    path: ['headersTimeout'],
    message: 'must not be above edge.requestTimeout: the head is a part of the request',
  })
  .prefault({});
