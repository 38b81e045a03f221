import { asDelivered } from '../delivered.ts';
import type { JsonObject } from '../../base/json.ts';
import { partAt } from '../pointer.ts';
import { type UpstreamDocument, webhooksField } from '../webhooks.ts';
import { addComponents, type Components, usedComponents } from './used-components.ts';
import { renamed } from './renamed.ts';

/** Types of events of a document, as the gateway delivers them. Those that are in components stand there themselves. */
export function deliveredWebhooks(value: JsonObject, eventTypes: UpstreamDocument['eventTypes']): JsonObject {
  const field = webhooksField(value);
  return Object.fromEntries(
    eventTypes.flatMap(({ name }) => {
      const item = partAt(value, [field, name]);
      return item === null ? [] : [[name, asDelivered(item.value)]];
    }),
  );
}

/** What operators may be told by services: all types, with the components that they use, named after their upstream. */
export function allWebhooks(sources: readonly { readonly name: string; readonly document: UpstreamDocument }[]): {
  readonly webhooks: JsonObject;
  readonly components: Readonly<Record<string, JsonObject>>;
} {
  const components: Components = new Map();
  let webhooks: JsonObject = {};
  for (const { name, document } of sources) {
    const value = renamed(document.value, name);
    webhooks = { ...webhooks, ...deliveredWebhooks(value, document.eventTypes) };
    addComponents(components, value);
  }
  return { webhooks, components: usedComponents(webhooks, components) };
}
