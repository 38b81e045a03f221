import type { DatabaseSync } from 'node:sqlite';
import type { Store } from './store/index.ts';

/** Adds demo data to a database that has never had any data. A database whose data was deleted stays empty. */
export function seedDemo(db: DatabaseSync, store: Store): boolean {
  return store.transaction(() => {
    if (db.prepare('SELECT 1 FROM sqlite_sequence LIMIT 1').get()) return false;
    const dogs = store.categories.insert({ name: 'Dogs', description: 'Loyal, and fond of walks' }).id;
    const cats = store.categories.insert({ name: 'Cats', description: 'Independent, and fond of boxes' }).id;
    const birds = store.categories.insert({ name: 'Birds' }).id;
    store.pets.insert({ name: 'Rex', categoryId: dogs, status: 'available', stock: 1n });
    store.pets.insert({ name: 'Bella', categoryId: dogs, status: 'pending', stock: 1n });
    const misty = store.pets.insert({ name: 'Misty', categoryId: cats, status: 'available', stock: 2n });
    store.pets.insert({ name: 'Tom', categoryId: cats, status: 'sold', stock: 0n });
    store.pets.insert({ name: 'Budgie', categoryId: birds, status: 'available', stock: 12n });
    store.orders.insert({ petId: misty.id, quantity: 1n, shipDate: '2026-12-24T09:00:00Z' });
    return true;
  });
}
