import { client } from './client/client.ts';
import { document } from './document/document.ts';
import { fault } from './fault/fault.ts';
import { forwarded } from './forwarded/forwarded.ts';
import { module } from './module/module.ts';
import { service } from './service/service.ts';
import type { Target } from './target.ts';

/** All targets. Each has scripts of its own type. */
export const targets = [client, service, module, fault, document, forwarded] as unknown as readonly Target<never>[];
