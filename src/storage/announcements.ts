import type { ChangeListener } from './database.ts';

/** The listeners for changes. */
export class Announcements {
  readonly #listeners: ChangeListener[] = [];

  add(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  notify(messages: readonly (string | null)[]): void {
    for (const message of messages) {
      for (const listener of this.#listeners) listener(message);
    }
  }
}
