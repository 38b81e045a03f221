import { client } from './client.ts';
import { fault } from './fault.ts';
import { module } from './module.ts';
import { service } from './service.ts';
import type { Target } from './target.ts';

/** Each has scripts of its own kind, which nobody else looks into. */
export const targets = [client, service, module, fault] as unknown as readonly Target<never>[];
