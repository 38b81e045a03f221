import type { ChangeListener } from './database.ts';

/** Those who listen for changes. */
export class Announcements {
  readonly #listeners: ChangeListener[] = [];

  add(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  tell(messages: readonly (string | null)[]): void {
    for (const message of messages) {
      for (const listener of this.#listeners) listener(message);
    }
  }
}
