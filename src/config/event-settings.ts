import { z } from 'zod';
import { span } from '../base/units.ts';
import { DAY_MS } from '../base/time.ts';
import { addressRange } from './schema-parts.ts';

const MIN_EVENTS_KEEP_MS = 7 * DAY_MS;

const port = z.int('must be a port').min(1, 'must be a port').max(65_535, 'must be a port');

/** `events`: how long events are stored, and which addresses webhooks may have. */
export const eventsSettings = z
  .strictObject({
    keep: span
      .refine((ms) => ms >= MIN_EVENTS_KEEP_MS, 'must be at least 7d, because deliveries are retried for days')
      .prefault('30d'),
    allowPrivate: z
      .union([z.boolean(), z.array(addressRange)], 'must be true, false, or a list of ranges such as 10.0.0.0/8')
      .default(false),
    // Without this setting, all ports are allowed.
    ports: z.array(port).min(1, 'must have at least one port').optional(),
  })
  .prefault({});
