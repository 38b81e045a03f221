/**
 * The steps that build the schema. `user_version` counts the steps that a database has run. Never edit a released step.
 *
 * Ids are never reused (AUTOINCREMENT), because cursors, and completed orders whose pet was deleted, rely on it.
 * Because of those orders, `orders.pet_id` is not a foreign key. Stock is a column of `pets`, because a pet and its
 * stock are created, changed and deleted together.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    description TEXT
  ) STRICT;
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (id),
    status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
    stock INTEGER NOT NULL CHECK (stock >= 0)
  ) STRICT;
  CREATE INDEX pets_by_category ON pets (category_id);
  CREATE INDEX pets_by_status ON pets (status);
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pet_id INTEGER NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    ship_date TEXT,
    complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1))
  ) STRICT;
  CREATE INDEX open_orders_by_pet ON orders (pet_id) WHERE complete = 0;
  `,
  // AUTOINCREMENT is not needed here: a new row gets a higher number than all rows in the table, and the number of a
  // removed row may be used again.
  `
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  `,
];

/** Identifies a file as a pet store ("TgPS"), so that the pet store never writes to another program's database. */
export const APPLICATION_ID = 0x54675053;
